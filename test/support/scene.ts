import { onTestFinished } from 'vitest';
import type { Change } from '../../src/model/change.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';
import type { Plan } from '../../src/model/plan.ts';
import { World } from './world.ts';

/** A world that ends with the test. */
export async function newWorld(...options: Parameters<typeof World.start>): Promise<World> {
  const world = await World.start(...options);
  onTestFinished(() => world.stop());
  return world;
}

/** What a plan does, in short: `create projects/web`. */
export const actions = ({ changes }: Plan): string[] =>
  changes.filter(({ action }) => action !== 'noop').map(({ action, address }) => `${action} ${address}`);

export const changeAt = ({ changes }: Plan, address: string): Change | undefined =>
  changes.find((change) => change.address === address);

/** Codes of a plan's problems. */
export const codes = ({ diagnostics }: Plan, severity: Diagnostic['severity'] = 'error'): string[] =>
  diagnostics.filter((one) => one.severity === severity).map(({ code }) => code);

/** `causes(plan, 'projects/web')`: why each of its fields differs. */
export const causes = (plan: Plan, address: string): Record<string, string> =>
  Object.fromEntries(changeAt(plan, address)?.fields.map(({ path, cause }) => [path, cause]) ?? []);

type Send = World['connection']['send'];

/** From now on each request of the world goes through `through`, for example to fail. Gives back how to end that. */
export function intercept(
  world: World,
  through: (request: Parameters<Send>[0], send: Send) => ReturnType<Send>,
) {
  const { connection } = world;
  const { send } = connection;
  connection.send = (request) => through(request, send);
  return () => {
    connection.send = send;
  };
}

/** For `World.apply`: somebody else does this at the last moment, after all was looked at once more. */
export function atTheLastMoment(world: World, change: () => void): { send: Send } {
  let isDone = false;
  return {
    send: (request) => {
      if (!isDone) change();
      isDone = true;
      return world.connection.send(request);
    },
  };
}

/** Requests whose endpoint holds this text are answered with an error. */
export const refuse = (world: World, part: string, status = 500) =>
  intercept(world, async (request, send) => {
    if (request.endpoint.includes(part))
      throw Object.assign(new Error(`${part} answered ${status}`), { status });
    return send(request);
  });
