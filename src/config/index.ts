export { type Configuration, type LoadOptions, load } from './load.ts';
export { isRefusedEnv } from './refused-env.ts';
export { type ResolvedSecrets, type ResolveOptions, resolveSecrets } from './resolve-secrets.ts';
export type { SecretSource } from './secrets.ts';
