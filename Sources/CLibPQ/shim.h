#ifndef PERENNIAL_CLIBPQ_SHIM_H
#define PERENNIAL_CLIBPQ_SHIM_H

#include <libpq-fe.h>

#endif
