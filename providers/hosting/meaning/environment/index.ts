import type { Check } from '#kind';
import { conflictingNameCodes, findConflictingNames } from './env-names.ts';
import { findPublicSecrets, publicSecretCodes } from './env-public-secret.ts';
import { variablesIn } from './env-variables.ts';

/**
 * The checks of environment variables: secrets that browsers can read, and names that hide or resemble others. They are one check, because
 * an account can have thousands of variables, and grouping them takes as long as judging them.
 */
export const environmentChecks: readonly Check[] = [
  {
    codes: [...publicSecretCodes, ...conflictingNameCodes],
    *find(view) {
      const variables = variablesIn(view);
      yield* findPublicSecrets(variables);
      yield* findConflictingNames(variables, view);
    },
  },
];
