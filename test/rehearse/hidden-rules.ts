/*
 * Rules of a platform that the twin of a rehearsal lacks.
 *
 * Terms
 *   hidden rule      refuses some of the writes of one kind. It looks at a request, and at the requests of the kind that were accepted before
 *   own operation    a write of the API that only one kind uses, so that a refusal is about that kind
 */

import { hosting } from '../../providers/hosting/index.ts';
import { route } from '../../providers/hosting/twin/router.ts';
import { operationNameOf } from '../../src/manual/coverage.ts';
import { requestsOf } from '../../src/manual/kind-requests.ts';
import { groupBy } from '../../src/model/graph.ts';
import { isRead } from '../../src/model/request.ts';
import { isPlainObject } from '../../src/model/value.ts';

/** A rule by numbers that choose its kind and its details. */
export interface DrawnRule {
  family: keyof typeof families;
  a: number;
  b: number;
}

/** A write as a hidden rule sees it. */
interface JudgedWrite {
  isCreation: boolean;
  isDeletion: boolean;
  /** The objects in the body: one, or several of a batch. */
  objects: Record<string, unknown>[];
}

/** The refusal of a write: what the platform answers. */
export interface HiddenRefusal {
  kind: string;
  /** As the catalog has it. */
  operation: string;
  status: number;
  code: string;
}

/** A rule of one kind. `judge` returns true if it refuses a write; it is asked about each write of the kind, in their order. */
interface HiddenRule {
  kind: string;
  status: number;
  code: string;
  judge(write: JudgedWrite): boolean;
}

const textsIn = (objects: JudgedWrite['objects']): string[] =>
  objects.flatMap((object) => Object.values(object).filter((value) => typeof value === 'string'));

/** Every sort of rule: the status of its refusals, and the function that makes its judge. */
export const families = {
  /** Creations need a plan that the account does not have. */
  plan: { status: 402, create: () => (write: JudgedWrite) => write.isCreation },
  /** Texts of some lengths are refused, such as the name of a project. */
  length: {
    status: 400,
    create: (b: number) => (write: JudgedWrite) =>
      textsIn(write.objects).some(({ length }) => length > 2 && length % 4 === b % 4),
  },
  /** There may be at most so many objects. */
  maximum: {
    status: 409,
    create: (b: number) => {
      let accepted = 0;
      return (write: JudgedWrite) => {
        if (write.isDeletion) accepted -= 1;
        if (!write.isCreation) return false;
        if (accepted > b % 3) return true;
        accepted += 1;
        return false;
      };
    },
  },
  /** Two members do not go together: those of the first object that has two. */
  combination: {
    status: 400,
    create: (b: number) => {
      let pair: string[] | undefined;
      return (write: JudgedWrite) =>
        write.objects.some((object) => {
          const members = Object.keys(object).sort();
          if (members.length < 2) return false;
          pair ??= [members[b % members.length]!, members[(b + 1) % members.length]!];
          return pair.every((name) => members.includes(name));
        });
    },
  },
  /** An object stays as it is. */
  unchangeable: { status: 400, create: () => (write: JudgedWrite) => !write.isCreation && !write.isDeletion },
} satisfies Record<string, { status: number; create(b: number): (write: JudgedWrite) => boolean }>;

/** The kind of each own operation, and whether it creates objects. */
async function findOwnOperations(): Promise<Map<string, { kind: string; isCreation: boolean }>> {
  const operations = [...(await hosting.operations()), ...(await hosting.extraOperations())];
  const uses = hosting.kinds.flatMap((kind) =>
    requestsOf(kind)
      .filter((request) => !isRead(request))
      .map(({ endpoint, when }) => ({
        operation: operationNameOf(endpoint, operations),
        kind: kind.name,
        isCreation: when.includes('create') && !when.includes('update'),
      })),
  );
  const byOperation = [...groupBy(uses, ({ operation }) => operation)];
  return new Map(
    byOperation
      .filter(([, group]) => new Set(group.map(({ kind }) => kind)).size === 1)
      .map(([operation, [use]]) => [operation, use!]),
  );
}

const ownOperations = await findOwnOperations();
const kindsWithOwnOperations = new Set([...ownOperations.values()].map(({ kind }) => kind));

/** Makes rules for some of these kinds. A kind has at most one. */
export function createHiddenRules(drawn: readonly DrawnRule[], kinds: readonly string[]): HiddenRules {
  const possible = kinds.filter((kind) => kindsWithOwnOperations.has(kind));
  const rules = new Map<string, HiddenRule>();
  for (const { family, a, b } of drawn) {
    const kind = possible[a % possible.length];
    if (kind === undefined || rules.has(kind)) continue;
    const { status, create } = families[family];
    rules.set(kind, { kind, status, code: `hidden_${family}_of_${kind}`, judge: create(b) });
  }
  return {
    kinds: [...rules.keys()],
    judge(method, path, body) {
      const routed = route(method, path)?.operation;
      const operation = `${routed?.method} ${routed?.path}`;
      const use = ownOperations.get(operation);
      const rule = use && rules.get(use.kind);
      if (rule === undefined) return undefined;
      const isDeletion = method === 'DELETE';
      const write = { isCreation: use!.isCreation, isDeletion, objects: toObjects(body) };
      const { kind, status, code } = rule;
      return rule.judge(write) ? { kind, operation, status, code } : undefined;
    },
  };
}

/** The hidden rules of an account. */
export interface HiddenRules {
  /** The kinds that have one. */
  kinds: string[];
  /** Returns the refusal of a request; undefined if no hidden rule refuses it. */
  judge(method: string, path: string, body: unknown): HiddenRefusal | undefined;
}

/** Returns the objects in a body: itself, or the items of a list. */
const toObjects = (body: unknown): Record<string, unknown>[] => [body].flat().filter(isPlainObject);
