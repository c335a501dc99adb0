import { type CallApi, type CommentAccess, readNumberedPages, withCommentApi } from '../http/comment-api.ts';
import { Problems } from '../model/diagnostic.ts';

/** The numbers of the merge requests that were merged as this commit, or with it. Throws `Problems`. */
export const mergedRequests = (target: GitlabTarget, sha: string): Promise<number[]> =>
  withGitlab(target, async (call) => {
    const all = requireList(
      await call('GET /projects/{project}/repository/commits/{sha}/merge_requests', { sha }),
    );
    return all.flatMap(({ iid, state }) =>
      Number.isSafeInteger(iid) && state === 'merged' ? [iid as number] : [],
    );
  });

interface NoteContent {
  iid: number;
  /** The first line of the note, by which it is found again. Absent: the report stands in the place of each that there is. */
  marker: string | undefined;
  body: string;
  isMarker(line: string): boolean;
}

/**
 * Writes a report on a merge request, over the note of one's own with the same marker if there is one. Gives back how many notes say it
 * now. Throws `Problems`.
 */
export function sayNote(target: GitlabTarget, { iid, marker, body, isMarker }: NoteContent): Promise<number> {
  return withGitlab(target, async (call) => {
    const { username } = ((await call('GET /user')) ?? {}) as { username?: unknown };
    const isMeant = (line: string) => (marker === undefined ? isMarker(line) : line === marker);
    const notes = (await readNotes(call, iid)).filter(
      (note) => username !== undefined && noteAuthorOf(note) === username && isMeant(firstNoteLine(note)),
    );
    const old = marker === undefined ? notes : notes.slice(0, 1);
    for (const note of old) {
      const text = marker === undefined ? `${firstNoteLine(note)}\n${body}` : body;
      await call(
        'PUT /projects/{project}/merge_requests/{iid}/notes/{id}',
        { iid, id: note.id },
        { body: text },
      );
    }
    if (old.length > 0 || marker === undefined) return old.length;
    await call('POST /projects/{project}/merge_requests/{iid}/notes', { iid }, { body });
    return 1;
  });
}

type Note = Record<string, unknown>;

const firstNoteLine = ({ body }: Note): string =>
  (typeof body === 'string' ? body : '').split('\n', 1)[0]!.trimEnd();

const noteAuthorOf = ({ author }: Note): unknown =>
  (author as { username?: unknown } | null | undefined)?.username;

async function readNotes(call: CallApi, iid: number): Promise<Note[]> {
  const read = async (page: { size: number; page: number }) =>
    requireList(
      await call(
        'GET /projects/{project}/merge_requests/{iid}/notes?sort=asc&order_by=created_at&per_page={size}&page={page}',
        { iid, ...page },
      ),
    );
  const found: Note[] = [];
  for await (const notes of readNumberedPages(read, gitlabServerHint)) found.push(...notes);
  return found;
}

const gitlabServerHint = "does CI_API_V4_URL point to GitLab's REST API?";

/** Whose access it is, on which server, and to which project, by its number. */
export interface GitlabTarget extends CommentAccess {
  project: string;
}

/** Does this with GitLab's API. Throws `Problems` that say what to do. */
const withGitlab = <T>(target: GitlabTarget, work: (call: CallApi) => Promise<T>): Promise<T> =>
  withCommentApi(target, { fixed: { project: target.project }, hints: noteHints }, work);

const noteHints: Record<number, string> = {
  401: 'TRUEUP_COMMENT_TOKEN is no longer valid: create a new project access token with the scope `api`',
  403: 'TRUEUP_COMMENT_TOKEN must be a project access token with the scope `api` and the role Reporter',
  404: 'can TRUEUP_COMMENT_TOKEN read this project? A job token cannot write comments',
};

/** The items of an answer that is a list. Throws `Problems` for any other. */
function requireList(answer: unknown): Record<string, unknown>[] {
  if (Array.isArray(answer) && answer.every((one) => typeof one === 'object' && one !== null)) return answer;
  throw new Problems('comment/server', "GitLab's API did not return the requested list", {
    hint: gitlabServerHint,
  });
}
