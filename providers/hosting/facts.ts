import type { Fact } from '#kind';
import { domainFacts } from './facts/domains.ts';
import { projectFacts } from './facts/projects.ts';
import { securityFacts } from './facts/security.ts';
import { teamFacts } from './facts/team.ts';
import { variableFacts } from './facts/variables.ts';
import { limitFacts } from './limit-facts.ts';

/**
 * The sourced facts about the platform on which kinds and twin rely, for tests and for `trueup doctor`. This project has observed none of
 * them in a real account. `PF` numbers are facts about objects, `PT` numbers facts about tokens and users.
 */
export const facts: readonly Fact[] = [
  ...variableFacts,
  ...projectFacts,
  ...domainFacts,
  ...limitFacts,
  ...securityFacts,
  ...teamFacts,
];
