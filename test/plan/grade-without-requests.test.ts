import { expect, it } from 'vitest';
import { kinds } from '../../providers/hosting/kinds/index.ts';
import type { Change } from '../../src/model/change.ts';
import { gradeChange } from '../../src/plan/annotate-changes.ts';

it.each(['release', 'forget', 'adopt'] as const)(
  'a change that sends nothing is safe, whatever its kind (%s)',
  (action) => {
    const unsafeKinds = kinds.filter((kind) => {
      const change = { kind: kind.name, address: 'projects/web', action, fields: [], after: undefined };
      return gradeChange(kind, change as unknown as Change).grade !== 'safe';
    });
    expect(unsafeKinds.map(({ name }) => name)).toEqual([]);
  },
);
