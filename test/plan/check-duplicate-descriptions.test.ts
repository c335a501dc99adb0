import { expect, it } from 'vitest';
import { exported } from '../export/exported.ts';
import { newWorld } from '../support/scene.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

const seed = {
  team: { slug: 'acme', members: [{ email: 'alan@example.com', uid: 'u_alan' }] },
  projects: [{ name: 'web', id: 'prj_web' }, { name: 'docs' }],
};
const planOf = async (yaml: string) => {
  const { plan } = await (await newWorld({ seed })).plan(yaml, { allow: ['cost', 'remove-access'] });
  return plan.diagnostics.filter(({ code }) => code === 'plan/said-twice');
};
const member = (projectId: string) =>
  `members: { alan@example.com: { role: MEMBER, projects: [{ projectId: "${projectId}", role: ADMIN }] } }`;
const inWeb = 'projects: { docs: {}, web: { members: { u_alan: { role: PROJECT_VIEWER } } } }';

it.each(['${projects.web.id}', 'prj_web'])('a role in a project has one place: %s', async (id) => {
  const [found, ...others] = await planOf(`${inWeb}\n${member(id)}`);
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    severity: 'error',
    address: 'projects/web/members/u_alan',
    at: { line: 3 },
    related: [{ at: { line: 4 } }],
    message:
      'projects/web/members/u_alan repeats what `projects` of members/alan%40example.com declares (trueup.yaml:4)',
  });
});

it('other projects and other people are no matter', async () => {
  expect(await planOf(`${inWeb}\n${member('${projects.docs.id}')}`)).toEqual([]);
  const other = inWeb.replace('u_alan', 'u_grace');
  expect(await planOf(`${other}\n${member('${projects.web.id}')}`)).toEqual([]);
});

story(
  'an export says it once: in the project, or for the person where the project is not in it',
  async () => {
    const [web, docs] = seed.projects;
    const members = [{ uid: 'u_alan', role: 'ADMIN' as const }];
    const world = await newWorld({ seed: { ...seed, projects: [{ ...web!, members }, docs!] } });
    const whole = await exported(world);
    expect(whole.yaml).toMatch(/alan@example\.com:\s+role: ADMIN/);
    expect(whole.yaml).not.toContain('projectId');
    const { plan } = await world.plan(whole.yaml, { allow: ['cost', 'remove-access'] });
    expect(plan.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(plan.operations).toEqual([]);
    const part = await exported(world, ['members/*']);
    expect(part.yaml).toContain('projectId: prj_web');
  },
);
