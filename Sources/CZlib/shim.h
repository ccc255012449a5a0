#ifndef PERENNIAL_CZLIB_SHIM_H
#define PERENNIAL_CZLIB_SHIM_H

#include <zlib.h>

#endif
