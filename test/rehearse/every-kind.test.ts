import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { kinds as allKinds } from '../../providers/hosting/kinds/index.ts';
import { bodyOf, casesOf } from '../support/field-cases.ts';
import { sampleSeed } from '../support/samples.ts';
import { all, sampled } from '../support/sweep.ts';
import { World } from '../support/world.ts';
import { rehearseIn } from './rehearse-world.ts';

/** Kinds of which the twin does not model every change of the samples, because an object cannot be made again from what the platform shows. */
const notModelledKinds = new Set([
  // Only people can buy a domain.
  ...['domainAutoRenew', 'domainNameservers'],
  // Only their ids are known, and the plan does not read what has these ids.
  ...['sharedEnvLink', 'projectMember', 'accessGroupMember', 'teamMember'],
  // Values that only the creation takes.
  ...['avatar', 'microfrontendsGroup', 'microfrontendsProject', 'kmsSigningKey', 'connector'],
  // The platform does not show them.
  ...['resourceSecret', 'experimentationItem', 'oauthClientSecret'],
]);

/** Kinds whose killed creations need a person, because the platform does not list their objects. */
const notResumedKinds = ['oauthApp'];

const limits = { maxDeletions: 10_000 };

describe.each(sampled(allKinds, 1).map((kind) => [kind.name, kind] as const))('%s', (name, kind) => {
  it('rehearses as it applies, or is named as not modelled', async () => {
    const world = await World.start({ seed: sampleSeed });
    try {
      const cases = casesOf(kind);
      for (const step of [0, 1]) {
        const planned = await world.plan(stringify(bodyOf(kind, cases, step)), limits);
        const { verdict, refused, remaining, notModelled, crashes, visitors } = await rehearseIn(
          world,
          planned,
          limits,
          { crashPoints: all ? 3 : step },
        );
        expect({ refused, remaining }).toEqual({
          refused: [],
          remaining: verdict === 'unknown' ? remaining : [],
        });
        const concerned = notModelled.filter(({ isConcerned }) => isConcerned);
        if (verdict === 'unknown') {
          if (concerned.length > 0) expect(notModelledKinds).toContain(name);
          // Otherwise it is undecided what visitors meet on the way.
          else expect(visitors).toBeDefined();
        } else if (crashes && crashes.failures.length > 0) expect(notResumedKinds).toContain(name);
        else expect(verdict).toBe('green');
        const { outcome } = await world.apply(planned, { deliver: async () => {} });
        expect(outcome.failed).toEqual([]);
      }
    } finally {
      await world.stop();
    }
  });
});
