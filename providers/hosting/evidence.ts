import type { AnswerShape, Evidence, NamedRule } from '#kind';
import { assumptions } from './assumptions.ts';
import answers from './facts/answers.json?raw';
import { confirmedKinds } from './facts/confirmed-kinds.ts';
import { facts } from './facts.ts';
import { documentedLimits, limitsSource } from './limits/index.ts';
import { paged } from './paging.ts';
import { tokenRules } from './token-rules.ts';

/** The rules of the twin that are no facts of their own. */
const furtherRules: readonly NamedRule[] = [
  {
    id: 'published',
    statement: 'A request has the published form, and names objects that exist.',
    source: "the public schemas of the platform's SDK and command line",
    confidence: 'documented',
  },
  ...documentedLimits.map(
    ({ name, what, allowed, window }): NamedRule => ({
      id: `limit:${name}`,
      statement: `At most ${allowed} ${what} in ${window} seconds.`,
      source: `${limitsSource.page} (${limitsSource.date})`,
      confidence: 'documented',
    }),
  ),
];

/**
 * The facts about the platform's answers and tokens. Source of the answers: the public schemas of the platform's SDK and command line,
 * without texts and allowed values. Two lists of global configs are described there as one object, and are lists here.
 */
export const evidence: Evidence = {
  facts,
  furtherRules,
  assumptions,
  confirmedKinds,
  shapes: JSON.parse(answers) as Record<string, AnswerShape>,
  paged: new Set(Object.keys(paged).map((path) => `GET ${path}`)),
  tokens: tokenRules,
};
