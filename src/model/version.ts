/** Set by the build; the sources as they are have none. */
declare const TRUEUP_VERSION: string | undefined;
declare const TRUEUP_HOMEPAGE: string | undefined;

/** The version of the package. */
export const version: string = typeof TRUEUP_VERSION === 'undefined' ? 'development' : TRUEUP_VERSION;

/** The program's home page: `homepage` or `repository` of the package. Undefined if the package has neither. */
export const homepage: string | undefined =
  typeof TRUEUP_HOMEPAGE === 'undefined' ? undefined : TRUEUP_HOMEPAGE;
