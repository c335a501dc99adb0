/*
 * Secrets in answers that are not among the values of a plan, because the plan did not use their objects, or only counted them.
 */
import type * as z from 'zod';
import { idOf, secretIdOf } from '../kind/define-kind.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import type { ApiObject } from '../kind/read.ts';
import { innerOf, shapeOf, traitsOf } from '../kind/traits.ts';
import { withAlternatives } from '../model/resource.ts';
import { mapMembers } from '../model/walk.ts';
import type { PlannedState } from './part-source.ts';
import type { SecretTokens } from './secret-tokens.ts';
import type { StackPart } from './snapshot.ts';

/**
 * Gives a token (a text that stands for a secret in the snapshot) to each id in the recorded answers that is a secret itself, such as that
 * of a protection bypass. Such ids may be names of members, where the search for secrets in fields does not find them. That is possible
 * only in an answer of one page, for a kind that finds its list by a function (see `objectsIn`).
 */
export function registerSecretIds(reads: StackPart['reads'], kinds: Kinds, tokens: SecretTokens): void {
  for (const kind of kinds.values()) {
    if (secretIdOf(kind) === undefined) continue;
    const endpoints = [kind.read.endpoint ?? []].flat();
    for (const { request, answer } of reads)
      if ('value' in answer && endpoints.includes(request.endpoint as (typeof endpoints)[number]))
        for (const object of objectsIn(answer.value, kind)) tokens.register(idOf(kind, object));
  }
}

/**
 * Returns the objects of a kind in a recorded answer that is one page, if the kind finds them by a function (`read.items`). Only such a
 * function can make ids of the names of members. None if the answer has another form, because then the plan has no objects from it either.
 */
function objectsIn(answer: unknown, { read: { items } }: Kind): ApiObject[] {
  try {
    return typeof items === 'function' ? items(answer as ApiObject, {}) : [];
  } catch {
    return [];
  }
}

/**
 * Returns the reads of a plan with tokens (texts that stand for secrets in a snapshot) for the secrets of objects that the plan did not
 * use, such as those that no configuration can declare. The plan has no sealed values of these objects, so each text in a member that may
 * be secret counts as a secret.
 */
export function hideUnplannedSecrets(
  reads: StackPart['reads'],
  kinds: Kinds,
  { live, input }: PlannedState,
  tokens: SecretTokens,
): StackPart['reads'] {
  const objects = [...live.resources.values(), ...input.live.resources.values()];
  const plannedIds = new Set(withAlternatives(objects).flatMap(({ ids }) => ids));
  const secretNames = secretNamesByEndpoint(kinds);
  /** `isAroundPlanned`: true if the object around the value is in the plan. An object without an id is a part of that. */
  const hide = (
    value: unknown,
    names: ReadonlySet<string>,
    { isAroundPlanned }: { isAroundPlanned: boolean },
  ): unknown => {
    if (Array.isArray(value)) return value.map((item) => hide(item, names, { isAroundPlanned }));
    if (typeof value !== 'object' || value === null) return value;
    const { id } = value as { id?: unknown };
    const isPlanned = typeof id === 'string' ? plannedIds.has(id) : isAroundPlanned;
    return mapMembers(value as Record<string, unknown>, (member, name) =>
      typeof member === 'string' && !isPlanned && names.has(name)
        ? tokens.register(member)
        : hide(member, names, { isAroundPlanned: isPlanned }),
    );
  };
  return reads.map((read) => {
    const names = secretNames.get(read.request.endpoint);
    // Members of the answer itself are in no object outside of the plan.
    return names
      ? { ...read, answer: hide(read.answer, names, { isAroundPlanned: true }) as typeof read.answer }
      : read;
  });
}

/**
 * Returns for each endpoint the names of members that may be secret in its answers, from the fields of the kinds that are read there. A
 * snapshot hides such members in objects that its plan did not use.
 */
function secretNamesByEndpoint(kinds: Kinds): Map<string, Set<string>> {
  const namesByEndpoint = new Map<string, Set<string>>();
  for (const { fields, read } of kinds.values()) {
    const names = Object.entries(fields).flatMap(([name, schema]) => secretMemberNames(name, schema));
    if (names.length === 0) continue;
    for (const endpoint of [read.endpoint, read.single?.endpoint, read.byId?.endpoint].flat())
      if (endpoint)
        namesByEndpoint.set(endpoint, new Set([...(namesByEndpoint.get(endpoint) ?? []), ...names]));
  }
  return namesByEndpoint;
}

/**
 * Returns the names of the members of a field, at any depth, that may be secret: the field itself if it is. A snapshot hides such members
 * in objects that its plan did not use.
 */
function secretMemberNames(name: string, schema: z.ZodType): string[] {
  if (traitsOf(schema).secret !== undefined) return [name];
  const shape = shapeOf(schema);
  if (shape) return Object.entries(shape).flatMap(([member, inner]) => secretMemberNames(member, inner));
  const inner = innerOf(schema);
  return inner ? secretMemberNames(name, inner) : [];
}
