/**
 * True for the name of a test file (`shop.test.yaml`), which `trueup test` runs. A test file lies beside the configuration and is no part
 * of it, so folders are read without such files.
 */
export const isTestFileName = (name: string): boolean => /\.test\.ya?ml$/i.test(name);
