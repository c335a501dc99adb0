import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actions, intercept } from '../support/scene.ts';
import { oneRowIn, oneStoryIn } from '../support/sweep.ts';
import { Account } from './account.ts';
import { Team } from './team.ts';

const story = oneStoryIn(7);

let account: Account;
beforeEach(async () => {
  account = await Account.start();
  account.world.env.DATABASE = 'one';
});
afterEach(() => account.world.stop());

const secret = (more = '') =>
  `A: { value: "\${secret.database}", type: sensitive, target: [production]${more} }`;
const outside = 'secret/changed-outside';
/** Somebody writes to the row of a variable; the platform says when. */
const touch = (key: string, change: object = { value: 'theirs' }) => {
  const row = account.row(key);
  Object.assign(row, change, { updatedAt: row.updatedAt + 1 });
};

describe('a value that cannot be read, in a row that somebody else wrote to', () => {
  story('is warned of until it is sent, which is done once where that is asked for', async () => {
    await account.converge(secret());
    expect(await account.codes(secret())).toEqual([]);
    touch('A');
    account.sent();
    for (let run = 0; run < 2; run++) {
      const { plan } = await account.plan(secret(), { unattended: true });
      expect([actions(plan), plan.operations]).toEqual([[], []]);
      expect(plan.diagnostics).toMatchObject([{ severity: 'warning', code: outside }]);
      expect(plan.diagnostics[0]!.hint).toContain("--send-unverified 'projects/web/env/A@production'");
      // A run that has something else to do is no reason to forget it.
      await account.converge(`${secret()}\nB: one`);
      await account.converge(secret());
    }
    account.sent();
    await account.converge(secret(), { sendUnverified: ['projects/web/env/A@production'] });
    expect(account.sent()).toEqual(['PATCH value']);
    expect(account.row('A').value).toBe('one');
    expect(await account.codes(secret())).toEqual([]);
    await account.converge(secret(), { sendUnverified: ['**'] });
    expect(account.sent()).toEqual([]);
  });

  story(
    'is still doubtful after another field of it was written from here, and not after its value was',
    async () => {
      await account.converge(secret());
      touch('A');
      await account.converge(secret(', comment: ours'));
      expect(await account.codes(secret(', comment: ours'))).toEqual([outside]);
      account.world.env.DATABASE = 'two';
      await account.converge(secret());
      expect(await account.codes(secret())).toEqual([]);
    },
  );

  story('is joined by nothing, and does not leave its row', async () => {
    await account.converge(secret());
    touch('A');
    const wider = secret().replace('[production]', '[production, preview]');
    await account.converge(wider);
    expect(account.rows()).toEqual(['A=one sensitive preview', 'A=theirs sensitive production']);
    const both = 'B: { value: x, type: sensitive, target: [production, preview] }';
    await account.converge(`${wider}\n${both}`);
    touch('B');
    const { plan } = await account.plan(
      `${wider}\nB: [{ value: y, type: sensitive, target: [production] }, { value: x, type: sensitive, target: [preview] }]`,
    );
    expect(plan.diagnostics.map(({ code, address }) => [code, address])).toContainEqual([
      'env/unknown-value',
      'projects/web/env/B@preview',
    ]);
  });

  it('is warned of, too, where the secret is not available here', async () => {
    await account.converge(secret());
    touch('A');
    account.world.env = {};
    const planned = await account.plan(secret());
    expect(planned.plan.diagnostics.map(({ code }) => code)).toEqual(['secret/not-compared', outside]);
    await account.world.apply(planned);
    account.world.env.DATABASE = 'one';
    expect(await account.codes(secret())).toEqual([outside]);
  });

  story('is sent by what the hint says, also where it is one of several in a row', async () => {
    const yaml = secret().replace('[production]', '[production, preview]');
    await account.converge(yaml);
    touch('A');
    const { plan } = await account.plan(yaml);
    const hints = new Set(plan.diagnostics.map(({ hint }) => hint));
    expect(hints.size).toBe(1);
    const sendUnverified = [...[...hints][0]!.matchAll(/--send-unverified '(.+?)'/g)].map(([, one]) => one!);
    account.sent();
    await account.converge(yaml, { sendUnverified });
    expect(account.sent()).toEqual(['PATCH value']);
    expect(account.rows()).toEqual(['A=one sensitive production preview']);
  });

  story(
    'was adopted as it was found: what came before is nobody’s doubt, and what comes after is',
    async () => {
      account.project.env.push({
        ...{ id: 'found', key: 'A', value: 'one', type: 'sensitive', target: ['production'] },
        ...{ customEnvironmentIds: [], createdAt: 1, updatedAt: 7, createdBy: null, updatedBy: null },
      });
      await account.converge(secret());
      expect(account.world.ledger.entries['projects/web/env/A@production']!.updatedAt).toBe(7);
      expect(await account.codes(secret())).toEqual(['secret/unverified']);
      touch('A');
      expect(await account.codes(secret())).toEqual([outside]);
    },
  );
});

story('a value that can be read is compared, and not warned of', async () => {
  const yaml = 'A: one\nB: { value: two, type: plain }';
  await account.converge(yaml);
  touch('A', { comment: 'theirs' });
  touch('B', { comment: 'theirs' });
  expect(await account.codes(yaml)).toEqual([]);
  touch('A');
  const { plan } = await account.plan(yaml);
  expect(plan.diagnostics).toEqual([]);
  expect(actions(plan)).toHaveLength(3);
});

describe('what is written from here is no change from outside', () => {
  const places = (target: string, more = '') => secret(more).replace('[production]', target);
  const three = places('[production, preview], customEnvironmentIds: [staging]');
  const steps: [name: string, yaml: string][] = [
    ['created', secret()],
    ['another field', secret(', comment: why')],
    ['wider', places('[production, preview]', ', comment: why')],
    ['another value', places('[production, preview]')],
    ['wider again, and a custom environment', three],
    [
      'split',
      'A: [{ value: x, type: sensitive, target: [production] }, { value: "${secret.database}", type: sensitive, target: [preview], customEnvironmentIds: [staging] }]',
    ],
    ['one entry again', three],
    ['narrower', places('[production]')],
    ['encrypted first', 'B: { value: "${secret.database}", target: [production, preview] }'],
    ['then sensitive', 'B: { value: "${secret.database}", type: sensitive, target: [production, preview] }'],
  ];

  story('be it one field, a split, a merge or another type', async () => {
    for (const [name, yaml] of steps) {
      if (name === 'another value') account.world.env.DATABASE = 'two';
      await account.converge(yaml);
      expect([name, await account.codes(yaml)]).toEqual([name, []]);
      const { entries } = account.world.ledger;
      const told = Object.entries(entries).filter(([address]) => address.includes('/env/'));
      const live = new Map(account.project.env.map(({ id, updatedAt }) => [id, updatedAt]));
      for (const [, { ids, updatedAt }] of told) expect(updatedAt).toBe(live.get(ids[0]!));
    }
  });

  oneRowIn(2)([
    [
      'does not say when',
      (answer: object) => JSON.parse(JSON.stringify(answer).replaceAll('updatedAt', 'x')),
    ],
    [
      'is lost',
      () => {
        throw new Error('the line is dead');
      },
    ],
  ])('where the answer %s', async (_, heard: (answer: object) => unknown) => {
    await account.converge(secret());
    const end = intercept(account.world, async (request, send) => {
      const answer = (await send(request)) as object;
      return request.endpoint.startsWith('PATCH') ? heard(answer) : answer;
    });
    await account.world.apply(await account.plan(secret(', comment: why')));
    end();
    expect(account.row('A').comment).toBe('why');
    expect(await account.codes(secret(', comment: why'))).toEqual([]);
    // The next run that writes the ledger takes it as it is found.
    await account.converge(`${secret(', comment: why')}\nB: one`);
    touch('A');
    expect(await account.codes(secret(', comment: why'))).toEqual([outside]);
  });

  story('where the run was killed before it heard the answer', async () => {
    await account.converge(secret());
    const { world } = account;
    const kept: unknown[] = [];
    const planned = await account.plan(secret(', comment: why'));
    await world.apply(planned, {
      save: async (ledger) => void kept.push(structuredClone(ledger)),
    });
    world.ledger = kept[0] as typeof world.ledger;
    expect(await account.codes(secret(', comment: why'))).toEqual([]);
  });
});

story('a ledger from before says nothing of when, so nothing is warned of', async () => {
  await account.converge(secret());
  const { entries } = account.world.ledger;
  for (const [address, { updatedAt: _, ...entry }] of Object.entries(entries)) entries[address] = entry;
  touch('A', { comment: 'theirs' });
  expect(await account.codes(secret())).toEqual([]);
});

story('a variable of the team is told of alike: all rows of a batch, and what is only linked', async () => {
  const team = await Team.start();
  try {
    const yaml = (
      comment: string,
    ) => `A: { value: one, type: sensitive, target: [production], comment: ${comment} }
B: { value: one, type: sensitive, target: [production, preview], comment: ${comment}, projectId: [web] }`;
    await team.converge(yaml('first'));
    await team.converge(yaml('second'));
    await team.converge(yaml('second').replace('[web]', '[web, docs]'));
    const now = yaml('second').replace('[web]', '[web, docs]');
    expect(await team.codes(now)).toEqual([]);
    Object.assign(team.row('B'), { value: 'theirs', updatedAt: team.row('B').updatedAt + 1 });
    expect(await team.codes(now)).toEqual([outside, outside]);
    team.sent();
    await team.converge(now, { sendUnverified: ['sharedEnv/B@*'] });
    expect(team.sent()).toEqual(['PATCH value']);
    expect([team.row('B').value, await team.codes(now)]).toEqual(['one', []]);
  } finally {
    await team.world.stop();
  }
});
