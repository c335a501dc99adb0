import { type ApiObject, type Fields, isRef, lastNameOf, type Value } from '#kind';

const places = ['production', 'preview', 'development'];

/** Returns the targets of a row in an answer. A single target may come back as a text. */
export const targetsOf = ({ target }: ApiObject): unknown[] => [target ?? []].flat();

/**
 * True if a row in an answer has targets, but none that this version knows. Such a row has an unknown form: it may be any declared variable
 * of its name.
 */
export function hasUnknownTargets(row: ApiObject): boolean {
  const targets = targetsOf(row);
  return targets.length > 0 && !targets.some((target) => places.includes(target as string));
}

/**
 * True if a row in an answer certainly is in no place: somebody took it out of all its targets, or its only custom environment was deleted.
 * It has no effect. A member that is missing or has another form says nothing.
 */
export function isInNoPlace({
  target,
  customEnvironmentIds,
  applyToAllCustomEnvironments,
}: ApiObject): boolean {
  const hasNoTarget = Array.isArray(target) && target.length === 0;
  const isInNoneByName = [customEnvironmentIds ?? []].flat().length === 0;
  const isInNoneBySwitch =
    applyToAllCustomEnvironments === undefined || applyToAllCustomEnvironments === false;
  return hasNoTarget && isInNoneByName && isInNoneBySwitch;
}

/** Returns the place of a unit (a variable in one place) as at the end of its address: `production`, `preview:BRANCH`, `custom:SLUG`. */
export function suffixOf({ target, gitBranch, customEnvironmentId }: Fields): string {
  if (isRef(customEnvironmentId)) return `custom:${lastNameOf(customEnvironmentId.$ref)}`;
  return gitBranch ? `${target}:${gitBranch}` : String(target);
}

/**
 * Returns the places in the name that ends a unit's address, `NAME@custom:SLUG`: as it is, and without the slug, because that may have
 * changed.
 */
export function placesIn(name: string): string[] {
  const suffix = name.slice(name.indexOf('@') + 1);
  return [suffix, suffix.replace(/:.*/, ':')];
}

/**
 * Splits a YAML entry, or a row of the platform, into units: one for each place (target or custom environment) of
 * the variable. Without a place it is in all three targets, with a branch only in preview.
 */
export function toUnits({ target, customEnvironmentIds, ...shared }: Fields): Fields[] {
  const environments = (customEnvironmentIds ?? []) as Value[];
  const everywhere = environments.length > 0 ? [] : shared.gitBranch ? ['preview'] : places;
  return [
    ...((target ?? everywhere) as string[]).map((builtIn) => mergeFields(shared, { target: builtIn })),
    ...environments.map((environment) => mergeFields(shared, { customEnvironmentId: environment })),
  ];
}

/**
 * Returns one object with all members of `parts`. Not written as a spread, because V8 keeps a description of each object that is
 * made of a spread and further members. There are very many units, and each description takes more memory than its unit.
 */
const mergeFields = (...parts: Fields[]): Fields => Object.assign({}, ...parts);

/**
 * Like `toUnits`, for a team's variable. Such a variable names no custom environments, but it may be in all of them. Beside its targets,
 * that is a field of each unit. Without a target it is one unit, in the place `custom`.
 */
export function toSharedUnits(entry: Fields): Fields[] {
  const { target, applyToAllCustomEnvironments } = entry;
  const isOnlyThere = Array.isArray(target) && target.length === 0 && applyToAllCustomEnvironments === true;
  return isOnlyThere ? [{ ...entry, target: 'custom' }] : toUnits(entry);
}

/** True if a unit is in a place. A live one is in none if its row lost all its places (`isInNoPlace`). */
export const hasPlace = ({ target, customEnvironmentId }: Fields): boolean =>
  target !== undefined || customEnvironmentId !== undefined;

/** Returns the row (one object of the platform) for units of one variable. The units must have the same key, branch and value. */
export function toRow(units: Fields[]): Fields {
  const { target: _, customEnvironmentId: __, comment, ...shared } = units[0]!;
  const targets = places.filter((builtIn) => units.some(({ target }) => target === builtIn));
  const environments = units.flatMap(({ customEnvironmentId }) => customEnvironmentId ?? []);
  return mergeFields(
    shared,
    comment ? { comment } : {},
    targets.length > 0 || environments.length === 0 ? { target: targets } : {},
    environments.length > 0 ? { customEnvironmentIds: environments } : {},
  );
}
