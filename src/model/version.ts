/** Set by the build; the sources as they are have none. */
declare const TRUEUP_VERSION: string | undefined;
declare const TRUEUP_HOMEPAGE: string | undefined;

/** The version of the package. */
export const version: string = typeof TRUEUP_VERSION === 'undefined' ? 'development' : TRUEUP_VERSION;

/** The program's home page: `homepage` of the package. */
export const homepage: string =
  typeof TRUEUP_HOMEPAGE === 'undefined' ? 'https://trueup.example/' : TRUEUP_HOMEPAGE;
