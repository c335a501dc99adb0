export {
  type DeliverOptions,
  deliverSecret,
  placeOf,
  type Undeliverable,
  undeliverable,
} from './deliver-secret.ts';
export { editorSchema } from './editor-schema.ts';
export { type FoundFile, findFiles, unreadable } from './find-files.ts';
export { formatSource } from './format-source.ts';
export { type Configuration, type LoadOptions, load } from './load.ts';
export { sourceOf } from './read-source.ts';
export { isRefusedEnv } from './refused-env.ts';
export { type ResolvedSecrets, type ResolveOptions, resolveSecrets } from './resolve-secrets.ts';
export type { SecretSource } from './secrets.ts';
export { Source, structureOf } from './source.ts';
