import * as z from 'zod';
import type { Account, AccountParts, ProjectParts } from './account.ts';
import { Answer, type Call, type Handler, type Making, type Query } from './call.ts';
import { type FactsOfMembers, parseBody } from './validate.ts';

/*
 * A resource of the platform is one declaration in one file, `<area>/<resource>.ts`. The build finds the file and writes the list
 * `resources.ts`. All tables are derived from that list: handlers, schemas of bodies and queries, lists, the seed, the OpenAPI document and
 * an empty account. Write the declaration from the API's documentation; the twin cannot import the kinds. To add a resource:
 *
 * 1. Declare the stored objects: the TypeScript type (`Stamped & ReturnType<typeof make>`, if `make` creates it), the collection in the
 *    account or in a project, and the field of the seed.
 *        declare module '../account.ts' {
 *          interface ProjectParts extends Keeps<'checks', Check> {}
 *          interface ProjectSeed extends Seeds<'checks', typeof seed> {}
 *        }
 * 2. Create the collection with `ofOwner('webhooks', ...)` or `ofProject('checks', ...)` from kept.ts. With `prefix`, new objects get an id
 *    and times. `shows` (required) returns an object as answers contain it, so members such as its project need not be stored. The read of
 *    a project shows its objects only if project-state.ts names them.
 * 3. Write the schema of the creation's body, with the platform's defaults. Derive the others from it:
 *        const updateBody = changesOf(createBody);                              // validate.ts: all optional, no defaults
 *        const seed = createBody.extend({ id: z.string().optional() });         // a seed can set the id
 *    Without the optional `id`, the compiler rejects the seed in `resource(...)` with a long type error.
 * 4. `checks.resource(seed, make, operations)` declares the resource. A `Resource` that is written out uses `checks.kept(seed, make)`.
 * 5. List each operation under its operationId in the catalog. The collection makes the usual ones: `list` or `pages` (`where` filters by
 *    query parameters), `create`, `read`, `update` and `remove`; `as` names the member of the answer that contains the object.
 *    `operation({ on, body }, serve)` makes any other one: it finds the objects of the path (404), parses the body (400), then calls
 *    `serve`. `statuses` are those other than 200, 400, 401, 403 and 404.
 * 6. `seed` creates objects with the functions that serve requests, so that seeds and requests follow the same rules. `after` names the
 *    seed's fields that must be loaded first.
 * 7. `forget` removes references from elsewhere to a deleted project. Objects in the project are removed without it.
 * 8. The sample of the kind, test/samples/<kind>.ts, has one object in `seed` and, in `requests`, a valid request for each operation that
 *    the kind does not use. The tests compare statuses, query parameters and bodies with the OpenAPI document and the public SDK, and
 *    name operations without a request.
 */

/** A batch: its answer has the successes, and in `failed` the items that were refused. A fault plan can make it succeed in part. */
export interface Batch {
  /** Returns the items in a body. */
  items(body: unknown): unknown[];
  /** Returns a body with only some of its items. */
  withItems(body: Record<string, unknown>, items: unknown[]): unknown;
  /** Returns the members that an error has to identify its item. */
  about(item: unknown, body: Record<string, unknown>): Record<string, unknown>;
}

/** Describes an operation, apart from the work that it does. */
interface Described<Body extends z.ZodType = z.ZodType> {
  /** The schema of the request's body. If the schema is optional, a request may have no body. */
  body?: Body;
  /** The facts about refusals of the body beyond its schema. */
  facts?: FactsOfMembers;
  /** The body is no JSON but a file. */
  takes?: 'bytes';
  /** The query parameters, except `teamId` and `slug`. */
  query?: Query;
  /**
   * The statuses beyond the usual ones: 200 on success, 400, 401 and 403 on failure, and 404 where the path or a required query
   * parameter names something. A status of success here replaces 200.
   */
  statuses?: readonly number[];
  /** The body type of a successful answer if that is no object; `none` for an answer of 200 without a body. */
  answers?: 'none' | string | readonly string[];
  /** Answers 200 even if its path names an object that does not exist. */
  isAlwaysFound?: boolean;
  /** For a list: the member of the answer that has the objects; '' if the answer itself is the array. */
  list?: string;
  batch?: Batch;
  /** True if no public source has the body of a request, so that the schema accepts the members of answers. */
  isGuess?: true;
}

/** One operation of the platform, with the code that serves it. */
export interface Operation extends Described {
  serve: Handler;
}

type BodyOf<S extends z.ZodType> = Exclude<z.output<S>, undefined>;

/**
 * Declares an operation that the twin serves: it first finds the object that the path or the query names (`on`, which throws 404), then
 * parses the body (or throws 400), then calls `serve` with both. The result of `serve` is the body of the answer; its status is the first
 * success in `statuses`, otherwise 200. `described`: the schemas of query and body, which the OpenAPI document shows, too.
 */
export function operation<On = undefined, Body extends z.ZodType = z.ZodUndefined>(
  { on, ...described }: Described<Body> & { on?(call: Call): On },
  serve: (call: Call, on: On, body: BodyOf<Body>) => unknown,
): Operation {
  const { body: schema, statuses = [], facts } = described;
  const success = statuses.find((status) => status < 400) ?? 200;
  const isOptional = schema?.safeParse(undefined).success;
  return {
    ...described,
    serve(call) {
      const located = on?.(call);
      const body =
        schema && parseBody(schema, isOptional ? (call.body ?? {}) : call.body, call.outside, facts);
      const result = serve(call, located as On, body as BodyOf<Body>);
      return success === 200 || result instanceof Answer ? result : new Answer(success, result);
    },
  };
}

/** The objects of a seed that have fields for objects inside them; `account` is the top of the seed. */
export type SeedPlace = 'account' | 'team' | 'domain' | 'project' | 'featureFlags';

/** One field of a seed, or of an object in it. */
export interface SeedField {
  /** The schema of one object, without the fields for objects inside it. */
  schema: z.ZodType;
  isList: boolean;
  /** Set if its objects have fields of other resources, such as `env` in a project: the name of that place. */
  below?: SeedPlace;
  /** Creates one object, and returns it if others are created inside it. `parent`: the object that the field is in. */
  load(make: Making, seed: unknown, parent: unknown, attempt: Attempt): unknown;
}

/** Runs one step of loading a field, and notes its error, if it throws one, with `path`, its place inside the field: `[2]`. */
export type Attempt = (path: string, run: () => void) => void;

/**
 * Declares a field of the seed (the initial content of a twin) with one value. `load` creates what a request with this value would create,
 * or throws. `below`: the place of the fields inside it, if it has any.
 */
export function seedOne<S extends z.ZodType, Parent = undefined>(
  schema: S,
  load: (make: Making, seed: z.output<S>, parent: Parent, attempt: Attempt) => unknown,
  below?: SeedPlace,
): SeedField {
  return { schema, isList: false, load: load as SeedField['load'], ...(below && { below }) };
}

/**
 * Declares a field of the seed (the initial content of a twin) with a list of objects, such as `webhooks`. `load` creates one of them, and
 * returns it if the seed has others below it (`below`: the place of their fields). At the top of a seed, an object can name its `owner`,
 * which `load` does not get.
 */
export function seedList<S extends z.ZodObject, Parent = undefined>(
  schema: S,
  load: (make: Making, seed: Omit<z.output<S>, 'owner'>, parent: Parent, attempt: Attempt) => unknown,
  below?: SeedPlace,
): SeedField {
  return { ...seedOne(schema, load, below), isList: true };
}

/**
 * The members that every object with an owner can have in a seed. The owner is a team's slug or id, or `personal` for the user; by default
 * the first team, or the user if there is no team.
 */
export const seedOwned = { id: z.string().optional(), owner: z.string().optional() };

/** One resource of the platform: its part of the account, its operations, and how a seed creates it. */
export interface Resource {
  /** What the resource stores in an empty account and in an empty project: usually an empty list. */
  keeps?: { account?: Partial<AccountParts>; project?: Partial<ProjectParts> };
  /** Its operations by their operationId in the catalog, or by method and path if the catalog has none (`PUT /ai-gateway/budgets`). */
  operations: Record<string, Operation>;
  /** Operations that official clients call although the public catalog does not have them, by method and path. */
  clientOperations?: Record<string, Operation>;
  /** Its fields of the seed, by the place that they are in. */
  seed?: { [place in SeedPlace]?: Record<string, SeedField> };
  /**
   * The paths of the seed's fields that must be loaded before those of this resource, because these refer to them: `domains`,
   * `projects.env`.
   */
  after?: readonly string[];
  /** Removes a deleted project from this resource's part of the account. */
  forget?(account: Account, projectId: string): void;
}
