#ifndef HERTZIAN_SRC_DSP_POW_TABLE_H
#define HERTZIAN_SRC_DSP_POW_TABLE_H

/*
   Tables of htz_pow_rt(), each number rounded to the nearest double (tests/unit/dsp/test_pow.c computes them again).
*/

enum { HTZ_POW_BITS = 6, HTZ_POW_CELLS = 1 << HTZ_POW_BITS };

/** 1/c and log2 c at the middle c of each cell of the mantissa; c = 1 is one of them. */
static const struct {
  double inverse; ///< 1/c
  double log2;    ///< log2 c
} htz_pow_log[HTZ_POW_CELLS] = {
    {0x1.6816816816817p+0, -0x1.f804ae8d0cd02p-2}, {0x1.642c8590b2164p+0, -0x1.e7df5fe538ab3p-2},
    {0x1.6058160581606p+0, -0x1.d7e6c0abc3579p-2}, {0x1.5c9882b931057p+0, -0x1.c819dc2d45fe4p-2},
    {0x1.58ed2308158edp+0, -0x1.b877c57b1b070p-2}, {0x1.5555555555555p+0, -0x1.a8ff971810a5ep-2},
    {0x1.51d07eae2f815p+0, -0x1.99b072a96c6b2p-2}, {0x1.4e5e0a72f0539p+0, -0x1.8a8980abfbd32p-2},
    {0x1.4afd6a052bf5bp+0, -0x1.7b89f02cf2aadp-2}, {0x1.47ae147ae147bp+0, -0x1.6cb0f6865c8eap-2},
    {0x1.446f86562d9fbp+0, -0x1.5dfdcf1eeae0ep-2}, {0x1.4141414141414p+0, -0x1.4f6fbb2cec598p-2},
    {0x1.3e22cbce4a902p+0, -0x1.4106017c3eca3p-2}, {0x1.3b13b13b13b14p+0, -0x1.32bfee370ee68p-2},
    {0x1.3813813813814p+0, -0x1.249cd2b13cd6cp-2}, {0x1.3521cfb2b78c1p+0, -0x1.169c05363f158p-2},
    {0x1.323e34a2b10bfp+0, -0x1.08bce0d95fa38p-2}, {0x1.2f684bda12f68p+0, -0x1.f5fd8a9063e35p-3},
    {0x1.2c9fb4d812ca0p+0, -0x1.dac22d3e441d3p-3}, {0x1.29e4129e4129ep+0, -0x1.bfc67a7fff4ccp-3},
    {0x1.27350b8812735p+0, -0x1.a5094b54d2828p-3}, {0x1.2492492492492p+0, -0x1.8a8980abfbd32p-3},
    {0x1.21fb78121fb78p+0, -0x1.7046031c79f85p-3}, {0x1.1f7047dc11f70p+0, -0x1.563dc29ffacb2p-3},
    {0x1.1cf06ada2811dp+0, -0x1.3c6fb650cde51p-3}, {0x1.1a7b9611a7b96p+0, -0x1.22dadc2ab3497p-3},
    {0x1.1811811811812p+0, -0x1.097e38ce60649p-3}, {0x1.15b1e5f75270dp+0, -0x1.e0b1ae8f2fd56p-4},
    {0x1.135c81135c811p+0, -0x1.aed391ab6674ep-4}, {0x1.1111111111111p+0, -0x1.7d60496cfbb4cp-4},
    {0x1.0ecf56be69c90p+0, -0x1.4c560fe68af88p-4}, {0x1.0c9714fbcda3bp+0, -0x1.1bb32a600549dp-4},
    {0x1.0a6810a6810a7p+0, -0x1.d6ebd1f1febfep-5}, {0x1.0842108421084p+0, -0x1.77394c9d958d5p-5},
    {0x1.0624dd2f1a9fcp+0, -0x1.184b8e4c56af8p-5}, {0x1.0410410410410p+0, -0x1.743ee861f3556p-6},
    {0x1.0204081020408p+0, -0x1.72c7ba20f7327p-7}, {0x1.0000000000000p+0, 0x0.0p+0},
    {0x1.f81f81f81f820p-1, 0x1.6e79685c2d22ap-6},  {0x1.f07c1f07c1f08p-1, 0x1.6bad3758efd87p-5},
    {0x1.e9131abf0b767p-1, 0x1.0eb389fa29f9bp-4},  {0x1.e1e1e1e1e1e1ep-1, 0x1.663f6fac91316p-4},
    {0x1.dae6076b981dbp-1, 0x1.bc84240adabbap-4},  {0x1.d41d41d41d41dp-1, 0x1.08c588cda79e4p-3},
    {0x1.cd85689039b0bp-1, 0x1.32ae9e278ae1ap-3},  {0x1.c71c71c71c71cp-1, 0x1.5c01a39fbd688p-3},
    {0x1.c0e070381c0e0p-1, 0x1.84c2bd02f03b3p-3},  {0x1.bacf914c1bad0p-1, 0x1.acf5e2db4ec94p-3},
    {0x1.b4e81b4e81b4fp-1, 0x1.d49ee4c325970p-3},  {0x1.af286bca1af28p-1, 0x1.fbc16b902680ap-3},
    {0x1.a98ef606a63bep-1, 0x1.11307dad30b76p-2},  {0x1.a41a41a41a41ap-1, 0x1.24407ab0e073ap-2},
    {0x1.9ec8e951033d9p-1, 0x1.37124cea4cdedp-2},  {0x1.999999999999ap-1, 0x1.49a784bcd1b8bp-2},
    {0x1.948b0fcd6e9e0p-1, 0x1.5c01a39fbd688p-2},  {0x1.8f9c18f9c18fap-1, 0x1.6e221cd9d0cdep-2},
    {0x1.8acb90f6bf3aap-1, 0x1.800a563161c54p-2},  {0x1.8618618618618p-1, 0x1.91bba891f1709p-2},
    {0x1.8181818181818p-1, 0x1.a33760a7f6051p-2},  {0x1.7d05f417d05f4p-1, 0x1.b47ebf73882a1p-2},
    {0x1.78a4c8178a4c8p-1, 0x1.c592fad295b56p-2},  {0x1.745d1745d1746p-1, 0x1.d6753e032ea0fp-2},
    {0x1.702e05c0b8170p-1, 0x1.e726aa1e754d2p-2},  {0x1.6c16c16c16c17p-1, 0x1.f7a8568cb06cfp-2},
};

/** 2^(j/64) */
static const double htz_pow_exp[HTZ_POW_CELLS] = {
    0x1.0000000000000p+0, 0x1.02c9a3e778061p+0, 0x1.059b0d3158574p+0, 0x1.0874518759bc8p+0, 0x1.0b5586cf9890fp+0,
    0x1.0e3ec32d3d1a2p+0, 0x1.11301d0125b51p+0, 0x1.1429aaea92de0p+0, 0x1.172b83c7d517bp+0, 0x1.1a35beb6fcb75p+0,
    0x1.1d4873168b9aap+0, 0x1.2063b88628cd6p+0, 0x1.2387a6e756238p+0, 0x1.26b4565e27cddp+0, 0x1.29e9df51fdee1p+0,
    0x1.2d285a6e4030bp+0, 0x1.306fe0a31b715p+0, 0x1.33c08b26416ffp+0, 0x1.371a7373aa9cbp+0, 0x1.3a7db34e59ff7p+0,
    0x1.3dea64c123422p+0, 0x1.4160a21f72e2ap+0, 0x1.44e086061892dp+0, 0x1.486a2b5c13cd0p+0, 0x1.4bfdad5362a27p+0,
    0x1.4f9b2769d2ca7p+0, 0x1.5342b569d4f82p+0, 0x1.56f4736b527dap+0, 0x1.5ab07dd485429p+0, 0x1.5e76f15ad2148p+0,
    0x1.6247eb03a5585p+0, 0x1.6623882552225p+0, 0x1.6a09e667f3bcdp+0, 0x1.6dfb23c651a2fp+0, 0x1.71f75e8ec5f74p+0,
    0x1.75feb564267c9p+0, 0x1.7a11473eb0187p+0, 0x1.7e2f336cf4e62p+0, 0x1.82589994cce13p+0, 0x1.868d99b4492edp+0,
    0x1.8ace5422aa0dbp+0, 0x1.8f1ae99157736p+0, 0x1.93737b0cdc5e5p+0, 0x1.97d829fde4e50p+0, 0x1.9c49182a3f090p+0,
    0x1.a0c667b5de565p+0, 0x1.a5503b23e255dp+0, 0x1.a9e6b5579fdbfp+0, 0x1.ae89f995ad3adp+0, 0x1.b33a2b84f15fbp+0,
    0x1.b7f76f2fb5e47p+0, 0x1.bcc1e904bc1d2p+0, 0x1.c199bdd85529cp+0, 0x1.c67f12e57d14bp+0, 0x1.cb720dcef9069p+0,
    0x1.d072d4a07897cp+0, 0x1.d5818dcfba487p+0, 0x1.da9e603db3285p+0, 0x1.dfc97337b9b5fp+0, 0x1.e502ee78b3ff6p+0,
    0x1.ea4afa2a490dap+0, 0x1.efa1bee615a27p+0, 0x1.f50765b6e4540p+0, 0x1.fa7c1819e90d8p+0,
};

#endif
