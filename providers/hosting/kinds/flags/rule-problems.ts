import { type Condition, conditionProblems } from './segment-references.ts';

interface Rule {
  id: string;
  conditions: Condition[];
}

/** Finds the mistakes in the rules of a flag's environment or of a segment. Paths are relative to the object with `rules`. */
export const ruleProblems = (
  rules: Rule[] = [],
): { path: (string | number)[]; message: string; hint?: string }[] =>
  rules.flatMap(({ id, conditions }, index) => [
    ...(rules.findIndex((rule) => rule.id === id) < index
      ? [{ path: ['rules', index], message: `two rules have the id "${id}"` }]
      : []),
    ...conditions.flatMap((condition, position) =>
      conditionProblems(condition).map((finding) => ({
        path: ['rules', index, 'conditions', position],
        ...finding,
      })),
    ),
  ]);
