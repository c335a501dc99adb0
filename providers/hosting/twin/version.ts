/** The version of the twin: that of the package, which the build puts in. */
declare const TRUEUP_VERSION: string | undefined;

export const version = typeof TRUEUP_VERSION === 'undefined' ? 'development' : TRUEUP_VERSION;
