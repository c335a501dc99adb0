import { expect, it, onTestFinished } from 'vitest';
import { notFound } from '../../providers/hosting/twin/errors.ts';
import type { Operation } from '../../providers/hosting/twin/resource.ts';
import { operations } from '../../providers/hosting/twin/tables.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { World } from '../support/world.ts';
import { undeletedFindings } from './of-run.ts';

const story = oneStoryIn(3);

const empty = 'projects: { web: {} }';
const yaml = (timeout: number) => `projects: { web: { checks: { e2e: { timeout: ${timeout} } } } }`;
const address = 'projects/web/checks/e2e';

type Change = (serve: Operation['serve']) => Operation['serve'];

/** Changes an operation of the twin until the end of the test. */
function changeOperation(name: string, change: Change): void {
  const operation = operations[name]!;
  const { serve } = operation;
  operation.serve = change(serve);
  onTestFinished(() => {
    operation.serve = serve;
  });
}

/** A world in which an operation of the twin does something else. */
async function worldWhere(name: string, change: Change) {
  changeOperation(name, change);
  const world = await World.start();
  onTestFinished(() => world.stop());
  return world;
}

const refusing: Change = () => () => {
  throw notFound('Check');
};

/** A list whose checks are shown otherwise. */
const showing =
  (change: (check: Record<string, unknown>) => object | undefined) =>
  (serve: Operation['serve']): Operation['serve'] =>
  (call) => {
    const { checks } = serve(call) as { checks: Record<string, unknown>[] };
    return { checks: checks.flatMap((check) => change({ ...check }) ?? []) };
  };

story('a field that a read does not show', async () => {
  const world = await worldWhere(
    'listProjectChecks',
    showing(({ timeout, ...check }) => ({ ...check, timeOut: timeout })),
  );
  await expect(world.converge(yaml(60))).rejects.toThrow(
    `check: \`timeout\` of ${address} was sent as 60, and is not read back: the twin does not keep it, or shows it under another name, or the kind's \`decode\` loses it\n`,
  );
});

story('a field that a creation ignores', async () => {
  const world = await worldWhere('createProjectCheck', (serve) => (call) => {
    const { timeout: _, ...body } = call.body as { timeout: number };
    return serve({ ...call, body });
  });
  await expect(world.converge(yaml(60))).rejects.toThrow(
    `check: \`timeout\` of ${address} was sent as 60, and is read back as 300: the twin's create or update does not keep it, or the kind does not send it\n`,
  );
});

it('an object that neither the list nor the read by its id has', async () => {
  changeOperation('getProjectCheck', refusing);
  const world = await worldWhere(
    'listProjectChecks',
    showing(() => undefined),
  );
  await expect(world.converge(yaml(60))).rejects.toThrow(
    `check: ${address} was created, and is not found again: `,
  );
});

it('an update that the twin refuses', async () => {
  const world = await worldWhere('updateProjectCheck', refusing);
  await world.converge(yaml(60));
  await expect(world.converge(yaml(90))).rejects.toThrow(
    /^apply failed: check: the twin refuses what the kind sends for projects\/web\/checks\/e2e: PATCH .* answered 404/,
  );
});

it('a deletion that deletes nothing', async () => {
  const world = await worldWhere('deleteProjectCheck', () => () => ({ success: true }));
  await world.converge(yaml(60));
  await world.apply(await world.plan(empty));
  const { plan } = await world.plan(yaml(60));
  expect(undeletedFindings(plan, [address])).toEqual([
    `check: ${address} was deleted, and is still read: the twin's delete does not drop it, or the kind asks for another`,
  ]);
});
