/** Set by the build; the sources as they are have none. */
declare const TRUEUP_VERSION: string | undefined;

/** The version of the package. */
export const version: string = typeof TRUEUP_VERSION === 'undefined' ? 'development' : TRUEUP_VERSION;
