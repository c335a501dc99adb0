/** The version of the twin: that of the package, which the build puts in. */
export const version = process.env.TRUEUP_VERSION ?? 'development';
