#ifndef PERENNIAL_CZSTD_SHIM_H
#define PERENNIAL_CZSTD_SHIM_H

#include <zstd.h>

#endif
