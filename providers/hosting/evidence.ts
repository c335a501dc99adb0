import type { AnswerShape, Evidence } from '#kind';
import answers from './facts/answers.json?raw';
import { facts } from './facts.ts';
import { paged } from './paging.ts';
import { tokenRules } from './token-rules.ts';

/**
 * The facts about the platform's answers and tokens. Source of the answers: the public schemas of the platform's SDK and command line,
 * without texts and allowed values. Two lists of global configs are described there as one object, and are lists here.
 */
export const evidence: Evidence = {
  facts,
  shapes: JSON.parse(answers) as Record<string, AnswerShape>,
  paged: new Set(Object.keys(paged).map((path) => `GET ${path}`)),
  tokens: tokenRules,
};
