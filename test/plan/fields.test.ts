import { describe, expect, it } from 'vitest';
import { actions, causes, changeAt, codes, newWorld } from '../support/scene.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(5);

const web = (fields: string) => `projects: { web: { ${fields} } }`;

describe('fields of a project on the twin', () => {
  it('what is live already is recorded, so that the next difference is judged rightly', async () => {
    const world = await newWorld();
    await world.converge(web('framework: nextjs'));
    world.twin.account.projects[0]!.framework = 'vite';
    const plan = await world.converge(web('framework: vite'));
    expect(actions(plan)).toEqual(['adopt projects/web']);
    expect(causes(plan, 'projects/web')).toEqual({ framework: 'recorded' });
    // Had the ledger not learned of it, this would be a conflict.
    const { plan: next } = await world.plan(web('framework: astro'));
    expect(causes(next, 'projects/web')).toEqual({ framework: 'edit' });
  });

  it('drift is reverted, and shown as that', async () => {
    const world = await newWorld();
    await world.converge(web('framework: nextjs'));
    world.twin.account.projects[0]!.framework = 'vite';
    const plan = await world.converge(web('framework: nextjs'));
    expect(changeAt(plan, 'projects/web')).toMatchObject({ action: 'update', reason: 'changed outside' });
    expect(world.twin.account.projects[0]!.framework).toBe('nextjs');
  });

  story(
    'a conflict is shown, and refused where nobody is there to judge, unless that was judged before',
    async () => {
      const world = await newWorld();
      await world.converge(web('framework: nextjs'));
      world.twin.account.projects[0]!.framework = 'vite';
      const wanted = web('framework: astro');
      const { plan } = await world.plan(wanted);
      expect(causes(plan, 'projects/web')).toEqual({ framework: 'conflict' });
      expect([codes(plan), codes(plan, 'warning')]).toEqual([[], ['guard/conflict']]);
      expect(codes((await world.plan(wanted, { unattended: true })).plan)).toEqual(['guard/conflict']);
      const judged = await world.plan(wanted, { unattended: true, overwriteConflicts: true });
      expect([codes(judged.plan), codes(judged.plan, 'warning')]).toEqual([[], []]);
      await world.apply(judged);
      expect(world.twin.account.projects[0]!.framework).toBe('astro');
    },
  );

  it('what is not named any more is let go, and from then on not ours', async () => {
    const world = await newWorld();
    await world.converge(web('framework: nextjs, buildCommand: make'));
    const plan = await world.converge(web('framework: nextjs'));
    expect(actions(plan)).toEqual(['release projects/web']);
    expect(causes(plan, 'projects/web')).toEqual({ buildCommand: 'released' });
    expect(world.twin.account.projects[0]!.buildCommand).toBe('make');
    world.twin.account.projects[0]!.buildCommand = 'other';
    expect(actions((await world.plan(web('framework: nextjs'))).plan)).toEqual([]);
  });

  story('null resets', async () => {
    const world = await newWorld();
    await world.converge(web('buildCommand: make'));
    await world.converge(web('buildCommand: null'));
    expect(world.twin.account.projects[0]!.buildCommand).toBeNull();
    world.twin.account.projects[0]!.buildCommand = 'again';
    const { plan } = await world.plan(web('buildCommand: null'));
    expect(causes(plan, 'projects/web')).toEqual({ buildCommand: 'drift' });
  });

  story(
    'a lost ledger makes it careful: differences are unknown, nothing equal is sent, nothing is deleted',
    async () => {
      const world = await newWorld();
      await world.converge(web('framework: nextjs, env: { A: a, B: b }'));
      world.ledger = { ...world.ledger, entries: {} };
      const since = world.twin.requests.length;
      const plan = await world.converge(web('framework: vite, env: { A: a }'));
      expect(causes(plan, 'projects/web')).toEqual({ framework: 'unknown' });
      expect(world.writes(since)).toHaveLength(1);
      expect(plan.unmanaged).toHaveLength(3);
    },
  );

  story('digests of another normal form are compared two-way', async () => {
    const world = await newWorld();
    await world.converge(web('framework: nextjs'));
    world.ledger.entries['projects/web']!.form = 0;
    const { plan } = await world.plan(web('framework: vite'));
    expect(causes(plan, 'projects/web')).toEqual({ framework: 'unknown' });
    expect(changeAt(plan, 'projects/web')!.reason, 'it is said that nobody can tell').toBeDefined();
    expect(actions((await world.plan(web('framework: nextjs'))).plan)).toEqual([]);
    world.twin.account.projects[0]!.framework = 'astro';
    const changedByBoth = await world.plan(web('framework: vite'));
    expect(causes(changedByBoth.plan, 'projects/web'), 'no conflict').toEqual({ framework: 'unknown' });
  });

  story('$ignore: set at creation, then neither compared nor sent', async () => {
    const world = await newWorld();
    const yaml = web('framework: nextjs, buildCommand: make, $ignore: [buildCommand]');
    await world.converge(yaml);
    world.twin.account.projects[0]!.buildCommand = 'theirs';
    expect(actions((await world.plan(yaml)).plan)).toEqual([]);
    await world.converge(yaml.replace('nextjs', 'vite'));
    expect(world.twin.account.projects[0]).toMatchObject({ framework: 'vite', buildCommand: 'theirs' });
  });
});
