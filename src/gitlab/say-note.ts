import { type CallApi, type CommentAccess, readNumberedPages, withCommentApi } from '../http/comment-api.ts';
import { raise } from '../model/diagnostic.ts';

/**
 * Returns the numbers of the merge requests that were merged with this commit. Used after an apply on the main
 * branch, to report its outcome on the merge request that caused it. Throws `Problems`.
 */
export const mergedRequests = (target: GitlabTarget, sha: string): Promise<number[]> =>
  withGitlab(target, async (call) => {
    const requests = requireList(
      await call('GET /projects/{project}/repository/commits/{sha}/merge_requests', { sha }),
    );
    return requests.flatMap(({ iid, state }) =>
      Number.isSafeInteger(iid) && state === 'merged' ? [iid as number] : [],
    );
  });

/** A report for a merge request. */
interface NoteContent {
  iid: number;
  /**
   * The first line of the report, by which its note is found again. Undefined: the report does not name its stack, and
   * replaces every report.
   */
  marker: string | undefined;
  body: string;
  /** True if a first line is the marker of a report. */
  isMarker(line: string): boolean;
}

/**
 * Writes a report on a merge request for `trueup comment`: over our note (a comment in GitLab's API) with the same
 * marker (the first line, with the name of the stack) if there is one, otherwise as a new note. A report without a
 * marker only replaces our existing reports. Returns the number of notes that have the report now. Throws
 * `Problems`.
 */
export function sayNote(target: GitlabTarget, { iid, marker, body, isMarker }: NoteContent): Promise<number> {
  return withGitlab(target, async (call) => {
    const { username } = ((await call('GET /user')) ?? {}) as { username?: unknown };
    const isMeant = (line: string) => (marker === undefined ? isMarker(line) : line === marker);
    const notes = (await readNotes(call, iid)).filter(
      (note) => username !== undefined && noteAuthorOf(note) === username && isMeant(firstNoteLine(note)),
    );
    const replacedNotes = marker === undefined ? notes : notes.slice(0, 1);
    for (const note of replacedNotes) {
      const text = marker === undefined ? `${firstNoteLine(note)}\n${body}` : body;
      await call(
        'PUT /projects/{project}/merge_requests/{iid}/notes/{id}',
        { iid, id: note.id },
        { body: text },
      );
    }
    if (replacedNotes.length > 0 || marker === undefined) return replacedNotes.length;
    await call('POST /projects/{project}/merge_requests/{iid}/notes', { iid }, { body });
    return 1;
  });
}

type Note = Record<string, unknown>;

/** Returns the first line of a note, where a report has its marker. */
const firstNoteLine = ({ body }: Note): string =>
  (typeof body === 'string' ? body : '').split('\n', 1)[0]!.trimEnd();

/** Returns the user name of a note's author. Only our own notes may be overwritten. */
const noteAuthorOf = ({ author }: Note): unknown =>
  (author as { username?: unknown } | null | undefined)?.username;

/**
 * Reads all notes (comments) of a merge request, oldest first, to find the reports among them. `iid`: the number of
 * the merge request.
 */
async function readNotes(call: CallApi, iid: number): Promise<Note[]> {
  const read = async (page: { size: number; page: number }) =>
    requireList(
      await call(
        'GET /projects/{project}/merge_requests/{iid}/notes?sort=asc&order_by=created_at&per_page={size}&page={page}',
        { iid, ...page },
      ),
    );
  const allNotes: Note[] = [];
  for await (const notes of readNumberedPages(read, gitlabServerHint)) allNotes.push(...notes);
  return allNotes;
}

const gitlabServerHint = "does CI_API_V4_URL point to GitLab's REST API?";

/** A project on a GitLab server, by its number, and the access to it. */
export interface GitlabTarget extends CommentAccess {
  project: string;
}

/**
 * Runs `work` with a function which calls GitLab's API for the project. Throws `Problems` with a hint that fits the
 * refusal.
 */
const withGitlab = <T>(target: GitlabTarget, work: (call: CallApi) => Promise<T>): Promise<T> =>
  withCommentApi(target, { fixed: { project: target.project }, hints: noteHints }, work);

const noteHints: Record<number, string> = {
  401: 'TRUEUP_COMMENT_TOKEN is no longer valid: create a new project access token with the scope `api`',
  403: 'TRUEUP_COMMENT_TOKEN must be a project access token with the scope `api` and the role Reporter',
  404: 'can TRUEUP_COMMENT_TOKEN read this project? A job token cannot write comments',
};

/**
 * Returns the items of an answer of GitLab that has to be a list of objects. Throws `Problems` for any other
 * answer, because something else than GitLab has then answered.
 */
function requireList(answer: unknown): Record<string, unknown>[] {
  if (Array.isArray(answer) && answer.every((item) => typeof item === 'object' && item !== null))
    return answer;
  raise('comment/server', "GitLab's API did not return the requested list", {
    hint: gitlabServerHint,
  });
}
