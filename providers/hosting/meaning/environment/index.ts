import type { Check } from '#kind';
import { conflictingNameCodes, findConflictingNames } from './env-names.ts';
import { findPublicSecrets, publicSecretCodes } from './env-public-secret.ts';
import { variablesIn } from './env-variables.ts';

/** The checks of environment variables. They are one, because there are many variables, and grouping them takes as long as judging them. */
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
