import { describe, expect, it } from 'vitest';
import { kinds as all } from '../../providers/hosting/kinds/index.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';
import { limits, limitsOf } from '../../src/kind/limits.ts';

const kinds = kindsOf(all);
const of = (name: string) => limitsOf(kinds.get(name)!).map(({ limit }) => limit);

describe('what the platform does not do for a kind', () => {
  it('follows from its declaration', () => {
    expect(of('check')).toEqual([]);
    expect(of('experimentationItem')).toEqual(['unread']);
    expect(of('resourceSecret')).toEqual(['unread', 'kept']);
    expect(of('marketplaceInstallation')).toEqual([
      ...['unlisted', 'write-only', 'undeclarable', 'made-elsewhere', 'kept'],
    ]);
    expect(of('privateLink')).toEqual(['write-only', 'costs', 'ready-later', 'needs-person']);
    expect(of('network')).toEqual(['costs', 'irreversible', 'ready-later']);
    expect(of('webhook')).toEqual(['shown-once']);
    expect(of('projectMember')).toEqual(['removes-access']);
    // A pause cannot be declared. Static addresses of a project cost money, and its trusted sources let others in.
    expect(of('project')).toEqual(['undeclarable', 'costs', 'removes-access', 'irreversible']);
  });

  it('is each the limit of some kind', () => {
    const found = new Set(all.flatMap(limitsOf).map(({ limit }) => limit));
    expect([...found].sort()).toEqual([...limits].sort());
  });
});
