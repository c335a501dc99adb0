import type { Check } from '#kind';
import { publicSecrets } from './env-public-secret.ts';

/** The checks of environment variables. */
export const environmentChecks: readonly Check[] = [publicSecrets];
