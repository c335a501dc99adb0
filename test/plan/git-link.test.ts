import { expect, it } from 'vitest';
import { changeAt, newWorld } from '../support/scene.ts';

const web = (gitRepository: string) =>
  `projects: { web: { gitRepository: ${gitRepository}, framework: nextjs } }`;

it('a repository is linked, changed and cut off in place, beside other settings', async () => {
  const world = await newWorld({ seed: { projects: [{ name: 'web', framework: 'astro' }] } });
  const linkOf = () => world.twin.account.projects[0]!.link as { repo?: string; type?: string } | undefined;
  const { id } = world.twin.account.projects[0]!;
  const step = async (yaml: string) => {
    const since = world.twin.requests.length;
    const plan = await world.converge(yaml);
    return [changeAt(plan, 'projects/web')!.grade, world.writes(since).map((line) => line.replace(id, 'ID'))];
  };
  expect(await step(web('{ type: github, repo: acme/web }'))).toEqual([
    'disruptive',
    ['PATCH /v9/projects/ID', 'POST /v9/projects/ID/link'],
  ]);
  expect(linkOf()).toMatchObject({ type: 'github', repo: 'web' });
  expect(await step(web('{ type: gitlab, repo: acme/other }'))).toEqual([
    'disruptive',
    ['POST /v9/projects/ID/link'],
  ]);
  // Not managed any more is not the same as none.
  expect(await step('projects: { web: {} }')).toEqual(['safe', []]);
  expect(linkOf()).toBeDefined();
  expect(await step(web('null'))).toEqual(['disruptive', ['DELETE /v9/projects/ID/link']]);
  expect(linkOf()).toBeUndefined();
});
