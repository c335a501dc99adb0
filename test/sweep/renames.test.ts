import { expect, it } from 'vitest';
import { kinds } from '../../providers/hosting/kinds/index.ts';
import { canDo } from '../../src/kind/define-kind.ts';
import { traitsOf } from '../../src/kind/traits.ts';
import { renameScenarios } from './renames.ts';

/** What has a name that could be changed, and is not renamed here. */
const never: Record<string, string> = {
  managedRuleset: 'the platform has one of each, under its own names',
  coreRuleset: 'the platform has one of each, under its own names',
  marketplaceInstallation: 'a person makes it, and its id is the platform’s',
};

it('each kind that can be renamed is, in the sweeps that stop and break a run at every point', () => {
  const renamable = kinds.filter(
    (kind) =>
      kind.key.length > 0 &&
      (canDo(kind, 'update') || !kind.shape.isNamed) &&
      kind.key.every((name) => !kind.fields[name] || traitsOf(kind.fields[name]).immutable !== true),
  );
  const renamed = renameScenarios.map(({ name }) => name);
  const missing = renamable.filter(
    ({ name }) => !(name in never) && !renamed.some((one) => one.startsWith(`${name} `)),
  );
  expect(missing.map(({ name }) => name)).toEqual([]);
  expect(Object.keys(never).filter((name) => !renamable.some((kind) => kind.name === name))).toEqual([]);
});
