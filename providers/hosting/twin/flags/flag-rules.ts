import type { Project } from '../account.ts';
import { badRequest } from '../errors.ts';
import type { FlagCondition, FlagOutcome } from './flag-body.ts';
import type { FeatureFlag, FlagSegment } from './flag-state.ts';

/** Returns the ids of the segments that conditions name. */
export function segmentsIn(rules: readonly { conditions: FlagCondition[] }[]): string[] {
  return rules
    .flatMap((rule) => rule.conditions)
    .filter(({ lhs }) => lhs.type === 'segment')
    .flatMap(({ rhs }) => {
      if (typeof rhs === 'object' && rhs.type !== 'regex') return rhs.items.map((item) => String(item.value));
      return typeof rhs === 'string' ? [rhs] : [];
    });
}

/** Returns the ids of the flags and segments whose rules name a segment. */
export function usersOfSegment(project: Project, id: string) {
  const { flags, segments } = project.featureFlags;
  const inFlag = flags.filter((flag) =>
    Object.values(flag.environments).some((environment) => segmentsIn(environment.rules).includes(id)),
  );
  const inSegment = segments.filter((segment) => segmentsIn(segment.data.rules ?? []).includes(id));
  return {
    usedByFlags: inFlag.map((featureFlag) => featureFlag.id),
    usedBySegments: inSegment.map((flagSegment) => flagSegment.id),
  };
}

/** Throws 400 unless each rule has an id of its own and names only existing segments. */
export function checkRules(
  path: string,
  rules: readonly { id: string; conditions: FlagCondition[] }[],
  segments: readonly FlagSegment[],
): void {
  const twice = rules.find((rule, i) => rules.findIndex((other) => other.id === rule.id) !== i);
  if (twice) throw badRequest(`Invalid request: \`${path}\` has two rules with the id "${twice.id}".`);
  const unknown = segmentsIn(rules).find((id) => !segments.some((segment) => segment.id === id));
  if (unknown !== undefined) {
    throw badRequest(`Invalid request: \`${path}\` names the segment "${unknown}", which does not exist.`);
  }
}

/** Returns the ids of the variants in an outcome. */
function variantsIn(outcome: FlagOutcome): string[] {
  if (outcome.type === 'variant') return [outcome.variantId];
  if (outcome.type === 'split') return [outcome.defaultVariantId, ...Object.keys(outcome.weights)];
  return [outcome.rollFromVariantId, outcome.rollToVariantId, outcome.defaultVariantId];
}

/** Throws 400 unless each variant has an id of its own and a value of the flag's kind. */
function checkVariants({ kind, variants }: Pick<FeatureFlag, 'kind' | 'variants'>): void {
  for (const [i, { id, value }] of variants.entries()) {
    const fits = kind === 'json' ? value !== undefined : typeof value === kind;
    if (!fits) throw badRequest(`Invalid request: \`variants[${i}].value\` should be ${kind}.`);
    if (variants.findIndex((variant) => variant.id === id) !== i) {
      throw badRequest(`Invalid request: \`variants\` has the id "${id}" twice.`);
    }
  }
}

/** Throws 400 unless everything that a flag names exists: variants, segments, environments that it reuses. */
export function checkFlag(
  flag: Pick<FeatureFlag, 'kind' | 'variants' | 'environments'>,
  segments: readonly FlagSegment[],
): void {
  checkVariants(flag);
  for (const [name, environment] of Object.entries(flag.environments)) {
    const path = `environments.${name}`;
    const { fallthrough, pausedOutcome, rules, targets = {}, reuse } = environment;
    const named = [fallthrough, pausedOutcome, ...rules.map((rule) => rule.outcome)].flatMap(variantsIn);
    for (const id of [...named, ...Object.keys(targets)]) {
      if (flag.variants.some((variant) => variant.id === id)) continue;
      throw badRequest(`Invalid request: \`${path}\` names the variant "${id}", which does not exist.`);
    }
    checkRules(`${path}.rules`, rules, segments);
    if (reuse?.active && !Object.hasOwn(flag.environments, reuse.environment)) {
      throw badRequest(
        `Invalid request: \`${path}.reuse\` names the environment "${reuse.environment}", which the flag does not have.`,
      );
    }
  }
}
