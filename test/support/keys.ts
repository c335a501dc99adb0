import { hash } from 'node:crypto';

/** The text of a strong key, always the same one for a name; no output may hold `canary`. */
export const keyText = (name = 'usual'): string =>
  `canary${hash('sha256', `a key for tests: ${name}`, 'base64url').slice(6)}`;
