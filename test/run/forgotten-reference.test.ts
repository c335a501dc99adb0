import { expect } from 'vitest';
import { Stacks } from '../support/stacks.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(4);

story('a variable is unlinked from a project that the stack stops naming in the same commit', async () => {
  const stacks = await Stacks.start();
  const variable = (links: string) =>
    `sharedEnv: { LEVEL: { value: debug, target: [production], projectId: [${links}] } }\n`;
  await stacks.apply('owner', 'projects: { web: {} }\n');
  await stacks.apply('other', `projects: { web: { $existing: true } }\n${variable('web')}`);
  const planned = await stacks.plan('other', variable(''));
  const { outcome } = await stacks.carryOut('other', planned);
  expect(outcome.failed).toEqual([]);
  expect(stacks.world.twin.account.sharedEnv).toMatchObject([{ projectId: [] }]);
});

story(
  'parents of others leave the ledger, also nested ones, once the last object in them is forgotten',
  async () => {
    const stacks = await Stacks.start();
    const { connection } = stacks.world;
    await stacks.apply('owner', 'projects: { web: { registryRepositories: { api: {} } } }\n');
    await stacks.apply(
      'other',
      'projects: { kept: {}, web: { $existing: true, registryRepositories: { api: { $existing: true, permissions: { team_x: { $allow: [remove-access] } } } } } }\n',
    );
    const [project] = stacks.ledgerOf('other').entries['projects/web']!.ids;
    const [repository] = stacks.ledgerOf('other').entries['projects/web/registryRepositories/api']!.ids;
    await connection.send({
      endpoint: 'DELETE /v1/vcr/repository/{repository}/permissions?projectId={project}',
      params: { project: project!, repository: repository! },
      body: { teamId: 'team_x' },
    });
    await stacks.apply('other', 'projects: { kept: {} }\n');
    expect(Object.keys(stacks.ledgerOf('other').entries)).toEqual(['projects/kept']);
  },
);

story('a parent of others leaves the ledger with the last container in it', async () => {
  const stacks = await Stacks.start();
  await stacks.apply('owner', 'projects: { web: {} }\n');
  const declared = (contents: string) =>
    `projects: { kept: {}, web: { $existing: true, registryRepositories: { api: { ${contents} } } } }\n`;
  await stacks.apply('other', declared('permissions: { team_x: { $allow: [remove-access] } }'));
  await stacks.apply(
    'other',
    'projects: { kept: {} }\nremoved: [{ at: projects/web/registryRepositories/api, delete: true }]\n',
  );
  expect(Object.keys(stacks.ledgerOf('other').entries)).toEqual(['projects/kept']);
});
