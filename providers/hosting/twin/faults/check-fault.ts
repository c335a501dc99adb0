import { catalog } from '../../catalog.ts';
import { servedOperations } from '../handlers.ts';
import { nameOf, type Route, route } from '../router.ts';
import { lists } from './cut-list.ts';
import type { Fault, FaultAction } from './fault-plan.ts';
import { batches } from './partial-batch.ts';

type Problem = [path: string[], message: string];

const isRead = (name: string) => catalog.some((one) => nameOf(one) === name && one.method === 'GET');

/** What an action can be done to, and what that is called; anything where it is not named. */
const targets: Partial<Record<FaultAction['type'], { fits(operation: string): boolean; are: string }>> = {
  cutList: { fits: (name) => Object.hasOwn(lists, name), are: 'lists' },
  stale: { fits: (name) => !isRead(name), are: 'writes' },
  partialBatch: {
    fits: (name) => Object.hasOwn(batches, name),
    are: `batches (${Object.keys(batches).join(', ')})`,
  },
};

function find(method: string, path: string): Route | undefined {
  try {
    return route(method, path.split('?')[0]!);
  } catch {
    return undefined;
  }
}

/** What is wrong with a fault of the right shape: what it names is not there, or it could never be done. */
export function checkFault({ at, only, do: action }: Fault): Problem[] {
  const problems: Problem[] = [];
  const operation = 'operation' in at ? at.operation : undefined;
  const target = targets[action.type];
  const never = (path: string[]) =>
    problems.push([path, `leaves nothing to do: \`${action.type}\` is for ${target?.are}`]);
  if (operation !== undefined && !servedOperations.includes(operation))
    problems.push([['at', 'operation'], 'should be the name of an operation that the twin serves']);
  else if (operation !== undefined) {
    if (only !== undefined && (only === 'reads') !== isRead(operation))
      problems.push([
        ['only'],
        `leaves nothing of ${operation}, which ${isRead(operation) ? 'reads' : 'writes'}`,
      ]);
    if (target && !target.fits(operation)) never(['at', 'operation']);
  } else if (only !== undefined && target) {
    const some = servedOperations.some((name) => isRead(name) === (only === 'reads') && target.fits(name));
    if (!some) never(['only']);
  }
  if (action.type === 'foreignWrite') {
    const found = find(action.method, action.path);
    if (found === undefined || !servedOperations.includes(nameOf(found.operation)))
      problems.push([['do', 'path'], `should be a path for ${action.method} that the twin serves`]);
  }
  return problems;
}
