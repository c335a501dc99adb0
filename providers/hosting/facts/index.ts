import type { Fact } from '#kind';
import { domainFacts } from './domains.ts';
import { limitFacts } from './limits.ts';
import { projectFacts } from './projects.ts';
import { securityFacts } from './security.ts';
import { teamFacts } from './team.ts';
import { variableFacts } from './variables.ts';

/**
 * The sourced facts about the platform on which kinds and twin rely, for tests and for `trueup doctor`.
 * This project has observed none of them in a real account. `PF` numbers are facts about objects, `PT` numbers facts about tokens and users.
 */
export const facts: readonly Fact[] = [
  ...variableFacts,
  ...projectFacts,
  ...domainFacts,
  ...limitFacts,
  ...securityFacts,
  ...teamFacts,
];
