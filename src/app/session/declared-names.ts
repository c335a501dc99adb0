import type { Configuration } from '../../config/configuration.ts';
import type { Kinds } from '../../kind/kind.ts';
import { lastNameOf } from '../../model/address.ts';

/** Finds the names under which objects of a kind may be read: `project` to `['web']`. */
export type NameFinder = (kind: string) => string[];

/**
 * Creates the function which lists the objects of a kind that a command is about, at the top of the account: those that the configuration declares, by
 * name, `$was` and `$id`, and those that targets (`projects/web/**`) name. A token of one project finds its account by one of these projects.
 */
export const createNameFinder =
  ({ desired }: Pick<Configuration, 'desired'>, kinds: Kinds, targets: readonly string[] = []): NameFinder =>
  (kind) => {
    const declared = [...desired.resources.values()].filter(
      (resource) => resource.kind === kind && resource.parent === undefined,
    );
    const named = declared.flatMap(({ address, meta: { id, was } }) => [
      ...(id === undefined ? [] : [id]),
      lastNameOf(address),
      ...(was === undefined ? [] : [lastNameOf(was)]),
    ]);
    const targeted = targets.flatMap((target) => {
      const [section, name = ''] = target.split('/');
      return section === kinds.get(kind)?.section && /^[^*?[{(!]+$/.test(name) ? [name] : [];
    });
    return [...new Set([...named, ...targeted])];
  };
