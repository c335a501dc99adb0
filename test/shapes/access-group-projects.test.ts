import { describe, expect, it } from 'vitest';
import { toExportedFiles } from '../../src/export/export-files.ts';
import { exportLive } from '../../src/export/export-live.ts';
import { observe } from '../../src/observe/observe.ts';
import { newWorld } from '../support/scene.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { kinds } from '../support/world.ts';

const story = oneStoryIn(3);

const seed = {
  projects: [{ name: 'web' }, { name: 'docs' }],
  accessGroups: [
    {
      name: 'Team',
      projects: [
        { project: 'web', role: 'PROJECT_GUEST' as const },
        { project: 'docs', role: 'ADMIN' as const },
      ],
    },
  ],
};
const yaml = (role: string) => `projects: { web: {} }
accessGroups: ${JSON.stringify({ Team: { projects: { web: { role } } } })}`;

describe('the role of a guest', () => {
  it('cannot be declared', async () => {
    const world = await newWorld({ seed });
    const { plan } = await world.plan(yaml('PROJECT_GUEST'));
    const [wrong, ...others] = plan.diagnostics;
    expect(others).toEqual([]);
    expect(wrong).toMatchObject({ severity: 'error', at: { file: 'trueup.yaml' } });
    expect(wrong!.message).toContain('PROJECT_GUEST');
  });

  story('can become another one', async () => {
    const world = await newWorld({ seed });
    await world.converge(yaml('PROJECT_VIEWER'));
    expect(world.twin.account.accessGroups[0]!.projects[0]!.role).toBe('PROJECT_VIEWER');
  });

  story('is left out of an export, which says so', async () => {
    const world = await newWorld({ seed });
    const nothing = { stack: '', resources: new Map(), inputs: [], folders: [] };
    const live = await observe(nothing, world.ledger, kinds, world.connection.send, {
      facts: {},
      also: () => true,
    });
    const found = exportLive({ live, kinds });
    expect(found.notes.filter((note) => note.startsWith('accessGroups/Team/projects/web'))).toHaveLength(1);
    const [file] = toExportedFiles(found, { stack: 'test', platform: { team: 'acme' }, isSplit: false });
    expect(file!.text).not.toContain('role: PROJECT_GUEST');
    const { plan } = await world.plan(file!.text);
    expect(plan.diagnostics).toEqual([]);
    expect(plan.operations).toEqual([]);
  });
});
