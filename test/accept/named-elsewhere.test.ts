import { describe, expect, it } from 'vitest';
import { Sealed } from '../../src/model/sealed.ts';
import { oneStoryIn } from '../support/sweep.ts';
import type { World } from '../support/world.ts';
import { acceptAllIn, acceptIn, fileOf, inWorld } from './accepted-text.ts';

const story = oneStoryIn(4);

describe('an accept of an object that is named elsewhere', () => {
  story('keeps the block of a deleted object that others name, and says where', () =>
    inWorld(async (world) => {
      const files = fileOf(
        world,
        `projects:
  web: { env: { A: { value: a, type: plain, target: [production] } } }
  api: { $dependsOn: [projects/web/env/A@production, projects/site] }
  site: { $dependsOn: [projects/docs] }
  docs: {}
  tool: { framework: vite, buildCommand: "build \${projects.web.id}" }
  free: {}
sharedEnv:
  ONE: { value: t, type: encrypted, target: [production], projectId: [tool, docs] }
`,
      );
      await world.converge(files);
      const { projects, sharedEnv } = world.twin.account;
      const tool = projects.find(({ name }) => name === 'tool')!;
      tool.framework = 'astro';
      sharedEnv[0]!.projectId = [tool.id];
      world.twin.account.projects = projects.filter(({ name }) => name === 'api' || name === 'tool');
      const { wrong, unplaced, leftOut, texts } = await acceptIn(world, files);
      const reasonOf = (lines: string) => expect.stringContaining(`(${lines}), and run again`);
      expect({ wrong, unplaced, leftOut }).toEqual({
        wrong: [],
        unplaced: [],
        leftOut: [
          { address: 'projects/web', reason: reasonOf('trueup.yaml:5, trueup.yaml:8') },
          { address: 'projects/site', reason: reasonOf('trueup.yaml:5') },
          { address: 'projects/docs', reason: reasonOf('trueup.yaml:6') },
        ],
      });
      const expected = Object.values(files)[0]!
        .replace('  free: {}\n', '')
        .replace('vite', 'astro')
        .replace('[tool, docs]', '[tool]');
      expect(Object.values(texts)).toEqual([expected]);
    }),
  );

  story('names the lines of actions and patches', () =>
    inWorld(async (world) => {
      const files = fileOf(
        world,
        `projects:
  web: {}
  api: { framework: vite, $then: [{ redeploy: { project: web, target: production } }] }
patches:
  - { $at: projects/web, framework: vite }
`,
      );
      await world.converge(files);
      world.twin.account.projects = world.twin.account.projects.filter(({ name }) => name === 'api');
      const { wrong, leftOut, texts } = await acceptIn(world, files);
      const reason = expect.stringContaining('(trueup.yaml:5, trueup.yaml:7), and run again');
      expect({ wrong, leftOut, texts }).toEqual({
        wrong: [],
        leftOut: [{ address: 'projects/web', reason }],
        texts: files,
      });
    }),
  );

  story('drops a generated object for which there is a patch', () =>
    inWorld(async (world) => {
      const files = fileOf(
        world,
        `templates: { shared: { customEnvironments: { staging: {}, other: {} } } }
projects: { web: { $use: shared }, api: { $use: shared } }
patches:
  - { $at: projects/web/customEnvironments/staging, description: ours }
`,
      );
      await world.converge(files);
      const web = world.twin.account.projects.find(({ name }) => name === 'web')!;
      web.customEnvironments = web.customEnvironments.filter(({ slug }) => slug === 'other');
      await acceptAllIn(world, files);
    }),
  );

  it('removes an object whose name a patch takes away', () =>
    inWorld(async (world) => {
      const files = fileOf(
        world,
        `projects: { api: {}, docs: {} }
templates:
  shared: { type: encrypted, target: [production], projectId: [api, docs] }
sharedEnv: { ONE: { $use: shared, value: t }, TWO: { $use: shared, value: t } }
`,
      );
      await world.converge(files);
      const { projects, sharedEnv } = world.twin.account;
      world.twin.account.projects = projects.filter(({ name }) => name === 'api');
      for (const row of sharedEnv) row.projectId = [projects.find(({ name }) => name === 'api')!.id];
      await acceptAllIn(world, files);
    }));

  story('writes the new name of an environment into the entries that are split', () =>
    inWorld(async (world) => {
      const files = fileOf(
        world,
        `projects:
  web:
    customEnvironments: { staging: {} }
    env:
      A: { value: t, type: encrypted, target: [production], customEnvironmentIds: [staging] }
      B:
        value: t
        type: encrypted
        $dependsOn: [projects/web/customEnvironments/staging]
        target: [production, preview]
        customEnvironmentIds: [staging]
      C:
        - { value: t, type: encrypted, target: [production], customEnvironmentIds: [staging] }
        - { value: u, type: encrypted, target: [preview] }
`,
      );
      await world.converge(files);
      const [web] = world.twin.account.projects;
      web!.customEnvironments[0]!.slug = 'stage';
      for (const row of web!.env.filter(({ value }) => value === 't')) {
        const isTarget = row.key === 'B';
        const environments = row.customEnvironmentIds;
        web!.env.push({
          ...row,
          ...{ id: `${row.id}2`, value: 'new' },
          ...{ target: isTarget ? ['preview'] : [], customEnvironmentIds: isTarget ? [] : environments },
        });
        Object.assign(row, { target: ['production'], customEnvironmentIds: isTarget ? environments : [] });
      }
      const { texts } = await acceptAllIn(world, files);
      expect(texts).toEqual(
        fileOf(
          world,
          `projects:
  web:
    customEnvironments: { stage: { $was: staging } }
    env:
      A:
        - { value: t, type: encrypted, target: [production] }
        - { value: new, type: encrypted, customEnvironmentIds: [stage] }
      B:
        - value: t
          type: encrypted
          $dependsOn: [projects/web/customEnvironments/stage]
          target: [production]
          customEnvironmentIds: [stage]
        - value: new
          type: encrypted
          target:
            - preview
          $dependsOn:
            - projects/web/customEnvironments/stage
      C:
        - { value: t, type: encrypted, target: [production] }
        - { value: new, type: encrypted, customEnvironmentIds: [stage] }
        - { value: u, type: encrypted, target: [preview] }
`,
        ),
      );
    }),
  );

  const shared = 'type: encrypted, comment: a';
  it.each([
    ['names', 'web, docs', ['docs']],
    ['an expression', 'web, "${projects.docs.id}"', ['${projects.docs.id}']],
    ['a secret', 'web, "${secret.docs}"', ['${secret.docs}']],
  ])('copies %s beside the new name of a project into the entries that are split', (_, list, copied) =>
    inWorld(async (world) => {
      const ownList = list.replace('web', 'site');
      const { texts, fileWith } = await acceptSplit(
        world,
        `A: { value: t, ${shared}, target: [production, preview], projectId: [${list}] }`,
      );
      expect(texts).toEqual(
        fileWith(
          `A:
    - { value: t, ${shared}, target: [production], projectId: [${ownList}] }
    - value: t
      type: encrypted
      comment: b
      target:
        - preview
      projectId:
        - site
        - ${copied}`,
        ),
      );
    }),
  );

  it('copies names of a template in their order into the entries that are split', () =>
    inWorld(async (world) => {
      const template = (list: string) =>
        `templates: { shared: { ${shared}, target: [production, preview], projectId: [${list}] } }\n`;
      const { texts, fileWith } = await acceptSplit(
        world,
        'A: { $use: shared, value: t }',
        template('web, docs'),
      );
      expect(texts).toEqual(
        fileWith(
          `A:
    - { $use: shared, value: t, target: [production] }
    - type: encrypted
      comment: b
      target:
        - preview
      projectId:
        - site
        - docs
      value: t`,
          template('site, docs'),
        ),
      );
    }));
});

describe('an accept of a value that refers to an object that is not declared', () => {
  it('leaves out this value, says how to accept it, and accepts everything else', () =>
    inWorld(async (world) => {
      const text = `projects:
  web: { framework: vite, env: { A: { value: a, type: plain, target: [production] } } }
sharedEnv:
  ONE: { value: t, type: encrypted, target: [production], projectId: [web] }
`;
      const files = fileOf(world, text);
      await world.converge(files);
      const { ledger } = world;
      await world.converge(fileOf(world, text.replace('projects:\n', 'projects:\n  api: {}\n')));
      world.ledger = ledger;
      const { projects, sharedEnv } = world.twin.account;
      const [api, web] = ['api', 'web'].map((wanted) => projects.find(({ name }) => name === wanted)!);
      web!.framework = 'astro';
      sharedEnv[0]!.projectId = [web!.id, api!.id];
      const { wrong, unplaced, leftOut, texts } = await acceptIn(world, files);
      expect({ wrong, unplaced, leftOut, texts }).toEqual({
        wrong: [],
        unplaced: [],
        leftOut: [
          {
            address: expect.stringContaining('sharedEnv/ONE'),
            reason:
              "`projectId` refers to projects/api, which is not declared: accept that, too, with --new 'projects/api'",
          },
        ],
        texts: fileOf(world, text.replace('vite', 'astro')),
      });
    }));

  it('leaves out a value that refers to an object that does not exist, without a way to accept it', () =>
    inWorld(async (world) => {
      const text = `projects:
  web: {}
sharedEnv:
  ONE: { value: t, type: encrypted, target: [production], projectId: [web] }
`;
      const files = fileOf(world, text);
      await world.converge(files);
      const { sharedEnv } = world.twin.account;
      sharedEnv[0]!.projectId = [...sharedEnv[0]!.projectId, 'prj_gone'];
      const { leftOut, texts } = await acceptIn(world, files);
      expect({ leftOut, texts }).toEqual({
        leftOut: [
          {
            address: expect.stringContaining('sharedEnv/ONE'),
            reason: '`projectId` refers to something that does not exist',
          },
        ],
        texts: files,
      });
    }));
});

/**
 * Accepts a rename of the project `web` to `site` and another comment for one of the two targets of a shared variable. Returns the texts,
 * and a function that makes the expected ones.
 */
async function acceptSplit(world: World, entry: string, more = '') {
  const file = (projects: string, variable: string, before: string) =>
    fileOf(
      world,
      `secrets: { docs: { env: DOCS } }\n${before}projects: { ${projects} }\nsharedEnv:\n  ${variable}\n`,
    );
  await world.converge(fileOf(world, 'projects: { docs: {} }\n'));
  const { account } = world.twin;
  world.secretsOf = () => new Map([['docs', new Sealed(account.projects[0]!.id, 'docs')]]);
  const files = file('web: {}, docs: {}', entry, more);
  await world.converge(files);
  account.projects.find(({ name }) => name === 'web')!.name = 'site';
  const [row] = account.sharedEnv;
  account.sharedEnv.push({ ...row!, id: `${row!.id}2`, comment: 'b', target: ['preview'] });
  row!.target = ['production'];
  const { texts } = await acceptAllIn(world, files);
  const fileWith = (variable: string, before = '') => file('site: { $was: web }, docs: {}', variable, before);
  return { texts, fileWith };
}
