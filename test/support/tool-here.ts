import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRun } from './cli.ts';

let port: Promise<number> | undefined;

/**
 * Lines of bash that run the tool in the process of the tests, with the arguments, the environment and the folder of the script, and
 * end as it ends: a process of its own takes twenty times as long. Standard output comes before standard error.
 */
export async function toolHere(): Promise<string> {
  port ??= listen();
  return `exec 3<>/dev/tcp/127.0.0.1/${await port}
{ printf '%s\\0' "$PWD" "$#" "$@"; env -0; printf '\\0'; } >&3
read -r status folder <&3
cat "$folder/out"
cat "$folder/err" >&2
exit "$status"`;
}

function listen(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'trueup-runs-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const server = createServer((socket) => {
    const parts: string[] = [];
    socket.setEncoding('utf8').on('data', (text: string) => {
      parts.push(text);
      const call = callOf(parts.join(''));
      if (call) void answer(socket, folder, call);
    });
  }).unref();
  return new Promise((done) => {
    server.listen(0, '127.0.0.1', () => done((server.address() as { port: number }).port));
  });
}

interface Call {
  cwd: string;
  args: string[];
  env: Record<string, string>;
}

/** What the script asked for, once all of it is here: the environment ends with an empty text. */
function callOf(text: string): Call | undefined {
  const [cwd = '', count = '', ...rest] = text.split('\0');
  const args = rest.slice(0, Number(count));
  const entries = rest.slice(Number(count));
  const end = entries.indexOf('');
  // The last of all is what follows the last zero.
  if (end < 0 || end === entries.length - 1) return undefined;
  const env = entries.slice(0, end).map((entry) => {
    const at = entry.indexOf('=');
    return [entry.slice(0, at), entry.slice(at + 1)];
  });
  return { cwd, args, env: Object.fromEntries(env) };
}

async function answer(socket: Socket, around: string, { args, ...place }: Call): Promise<void> {
  const { status, stdout, stderr } = await startRun(args, place).ended;
  const folder = mkdtempSync(join(around, 'run-'));
  writeFileSync(join(folder, 'out'), stdout);
  writeFileSync(join(folder, 'err'), stderr);
  socket.end(`${status} ${folder}\n`);
}
