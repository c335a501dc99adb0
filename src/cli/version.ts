/** The version of the package; the build puts it in. */
export const version = process.env.TRUEUP_VERSION ?? 'development';
