import type { Check } from '#kind';
import { conflictingNames } from './env-names.ts';
import { publicSecrets } from './env-public-secret.ts';

/** The checks of environment variables. */
export const environmentChecks: readonly Check[] = [publicSecrets, conflictingNames];
