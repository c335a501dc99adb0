import { type Fields, isHole } from '#kind';
import type { FlagEnvironment, Outcome } from './flag-environment.ts';
import { ruleProblems } from './rule-problems.ts';

interface Finding {
  path: (string | number)[];
  message: string;
  hint?: string;
}
interface Flag {
  kind: string;
  variants?: { id: string; value: unknown }[];
  environments?: Record<string, FlagEnvironment>;
}

/**
 * Finds the mistakes in a flag that can be seen without other objects: values of the wrong kind, names of missing
 * variants, duplicate ids. Used when the configuration is checked.
 */
export function flagProblems(fields: Fields): Finding[] {
  const { kind, variants, environments = {} } = fields as unknown as Flag;
  const ids = variants?.map(({ id }) => id);
  return [
    ...(variants ?? []).flatMap(({ id, value }, index) => {
      const path = ['variants', index];
      if (ids!.indexOf(id) < index) return [{ path, message: `two variants have the id "${id}"` }];
      if (kind === 'json' || isHole(value) || typeof value === kind) return [];
      return [
        { path: [...path, 'value'], message: `the value of a ${kind} flag's variant must be a ${kind}` },
      ];
    }),
    ...Object.entries(environments).flatMap(([name, environment]) =>
      [...variantProblems(environment, ids), ...ruleProblems(environment.rules)].map(
        ({ path, ...finding }) => ({
          path: ['environments', name, ...path],
          ...finding,
        }),
      ),
    ),
  ];
}

/**
 * Reports variants that an environment of a flag names but the flag does not have. `ids`: the declared variants;
 * undefined if they are managed elsewhere, so nothing can be checked.
 */
function variantProblems(environment: FlagEnvironment, ids: string[] | undefined): Finding[] {
  if (!ids) return [];
  const { fallthrough, pausedOutcome, rules = [], targets = {} } = environment;
  const named: [string[], Finding['path']][] = [
    ...(pausedOutcome ? [[namesIn(pausedOutcome), ['pausedOutcome']] as [string[], Finding['path']]] : []),
    ...(fallthrough ? [[namesIn(fallthrough), ['fallthrough']] as [string[], Finding['path']]] : []),
    ...rules.map(({ outcome }, index) => [namesIn(outcome), ['rules', index]] as [string[], Finding['path']]),
    ...Object.keys(targets).map((id) => [[id], ['targets', id]] as [string[], Finding['path']]),
  ];
  return named.flatMap(([names, path]) =>
    names
      .filter((id) => !isHole(id) && !ids.includes(id))
      .map((id) => ({
        path,
        message: `the flag has no variant "${id}"`,
        hint: ids.length === 0 ? 'its `variants` are empty' : `its variants are ${ids.join(', ')}`,
      })),
  );
}

/** Returns the ids of the variants in an outcome, to check that they exist. */
function namesIn(outcome: Outcome): string[] {
  if (outcome.type === 'variant') return [outcome.variantId];
  if (outcome.type === 'split') return [outcome.defaultVariantId, ...Object.keys(outcome.weights)];
  return [outcome.rollFromVariantId, outcome.rollToVariantId, outcome.defaultVariantId];
}
