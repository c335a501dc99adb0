/*
 * Reads a recording of requests to the platform: a HAR file (HTTP Archive 1.2), which browsers and proxies write. Messages name places in
 * the file and never quote it, because it has tokens, cookies and the values of an account.
 */
import * as z from 'zod';
import { parseBoundedJson } from '../../http/bounded-json.ts';
import { type Diagnostic, problem, raise } from '../../model/diagnostic.ts';
import { readJson } from '../../model/read-json.ts';

/** The most bytes of a recording. */
export const maxRecordingBytes = 64 * 1024 * 1024;
/** The most exchanges of a recording. */
const maxExchanges = 10_000;
/** JSON of more characters is not searched for the place of a mistake, because a syntax tree takes much more memory than the text. */
const maxSearchedLength = 4 * 1024 * 1024;
const maxBodyDepth = 256;

/** The body of a request or of an answer: JSON, none, or one that is not JSON or was not recorded. */
export type RecordedBody = { json: unknown } | 'none' | 'unknown';

/** A request and its answer, as a recording has them. */
export interface HarExchange {
  method: string;
  url: URL;
  sent: RecordedBody;
  status: number;
  /** By names in lower case. */
  headers: Record<string, string>;
  answered: RecordedBody;
}

const textContent = z.looseObject({
  text: z.string().optional(),
  encoding: z.string().optional(),
  size: z.number().optional(),
});
const harForm = z.looseObject({
  log: z.looseObject({
    entries: z.array(
      z.looseObject({
        startedDateTime: z.string().optional(),
        request: z.looseObject({
          method: z.string(),
          url: z.string().refine((text) => URL.canParse(text), 'expected a URL'),
          postData: textContent.nullable().optional(),
        }),
        response: z.looseObject({
          status: z.number(),
          headers: z.array(z.looseObject({ name: z.string(), value: z.string() })).optional(),
          content: textContent.nullable().optional(),
        }),
      }),
    ),
  }),
});
type HarEntry = z.output<typeof harForm>['log']['entries'][number];

/**
 * Returns the exchanges (requests with their answers) of a HAR file, a recording of a browser or proxy for `trueup doctor --calibrate`, in
 * the order of their requests. Throws `Problems` with the places of the mistakes if it is none. `name`: the file, for messages.
 */
export function readHar(text: string, name: string): HarExchange[] {
  const parsed = harForm.safeParse(parseHarText(text, name));
  if (!parsed.success) raise(parsed.error.issues.slice(0, 5).map((issue) => toHarProblem(issue, name)));
  const { entries } = parsed.data.log;
  if (entries.length > maxExchanges)
    raise('doctor/recording', `${name} has ${entries.length} requests, more than ${maxExchanges}`, {
      hint: 'record fewer requests, or split the file',
    });
  const times = entries.map(({ startedDateTime = '' }) => Date.parse(startedDateTime));
  const order = entries.map((_, index) => index);
  // Some programs write an entry when its answer is complete.
  const hasTimes = !times.some(Number.isNaN);
  const sorted = hasTimes ? order.toSorted((a, b) => times[a]! - times[b]! || a - b) : order;
  return sorted.map((index) => toExchange(entries[index]!));
}

/**
 * Parses the text of a recording as JSON. Throws `Problems` with the place of the mistake, and without any text of the file, because that
 * can be secret.
 */
function parseHarText(text: string, name: string): unknown {
  const written = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(written);
  } catch {
    // Read again, because the error of `JSON.parse` has no place and quotes the text.
    const [first] = written.length <= maxSearchedLength ? readJson(written).problems : [];
    raise('doctor/recording', `${name} is not JSON${first ? `: ${first.message}` : ''}`, {
      ...(first && { at: { file: name, line: first.line, column: first.column } }),
      hint: 'save the recording again, as HAR',
    });
  }
}

/**
 * Returns the problem with one place of a recording that is no valid HAR file: the place and the expected type, but not the value, which
 * could be secret.
 */
function toHarProblem(issue: z.core.$ZodIssue, name: string): Diagnostic {
  const path = issue.path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${String(step)}`))
    .join('');
  const expected = issue.code === 'invalid_type' ? `expected ${issue.expected}` : 'expected a URL';
  return problem('doctor/recording', `${name}: ${path || 'the file'}: ${expected}`, {
    hint: 'a recording is a HAR file (HTTP Archive 1.2)',
  });
}

/**
 * Converts an entry of a HAR file (a recording of a browser or proxy) to an exchange, a request and its answer. `trueup doctor --calibrate`
 * sends the request to the twin (a simulated platform) and compares the answers.
 */
function toExchange({ request, response }: HarEntry): HarExchange {
  const { postData } = request;
  const headers = (response.headers ?? []).map(({ name, value }) => [name.toLowerCase(), value]);
  return {
    method: request.method.toUpperCase(),
    url: new URL(request.url),
    sent: postData ? toBody(postData) : 'none',
    status: response.status,
    headers: Object.fromEntries(headers),
    answered: response.content ? toBody(response.content) : 'none',
  };
}

/**
 * Reads the body of a recorded request or answer: `none` if there is none, `unknown` if it cannot be compared, because the recording
 * program left out its text or it is not JSON. Programs leave out the text of large answers and of requests that they do not understand.
 */
function toBody({ text, encoding, size = 0 }: z.output<typeof textContent>): RecordedBody {
  if (text === undefined) return size > 0 ? 'unknown' : 'none';
  const written = encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text;
  const parsed = parseBoundedJson(written, maxBodyDepth);
  if (typeof parsed === 'string') return 'unknown';
  return parsed.json === undefined ? 'none' : { json: parsed.json };
}
