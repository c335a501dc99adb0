import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createMessageConnection, type MessageConnection } from 'vscode-jsonrpc/node.js';

interface Position {
  line: number;
  character: number;
}
export interface Diagnostic {
  message: string;
  range: { start: Position; end: Position };
}
interface Completion {
  label: string;
  insertText?: string;
  documentation?: string | { value: string };
}

// Tells of every connection that the server opens, to whatever place.
const trap = `import net from 'node:net';
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...args) {
  process.stderr.write('connects\\n');
  return connect.apply(this, args);
};`;

const settings = {
  yaml: {
    validate: true,
    hover: true,
    completion: true,
    schemaStore: { enable: false },
    kubernetesCRDStore: { enable: false },
    disableAdditionalProperties: false,
  },
};

const byPlace = ({ range: { start: a } }: Diagnostic, { range: { start: b } }: Diagnostic) =>
  a.line - b.line || a.character - b.character;

/** A running yaml-language-server, as an editor talks to it. A mark in a text, `|`, stands for the cursor. */
export class Editor {
  readonly #connection: MessageConnection;
  readonly #waiting = new Map<string, (diagnostics: Diagnostic[]) => void>();
  readonly #stop: () => Promise<void>;
  #opened = 0;
  /** How often the server has connected to anything. */
  connections = 0;

  private constructor() {
    const bin = createRequire(import.meta.url).resolve('yaml-language-server/bin/yaml-language-server');
    const preload = `data:text/javascript,${encodeURIComponent(trap)}`;
    const child = spawn(process.execPath, ['--import', preload, bin, '--stdio'], { stdio: 'pipe' });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.connections += text.split('connects').length - 1;
    });
    const ended = new Promise<void>((done) => child.once('close', () => done()));
    this.#connection = createMessageConnection(child.stdout, child.stdin);
    this.#connection.onRequest('workspace/configuration', ({ items }: { items: { section: string }[] }) =>
      items.map(({ section }) => settings[section as 'yaml'] ?? null),
    );
    this.#connection.onRequest('client/registerCapability', () => null);
    this.#connection.onNotification(
      'textDocument/publishDiagnostics',
      ({ uri, diagnostics }: { uri: string; diagnostics: Diagnostic[] }) =>
        this.#waiting.get(uri)?.(diagnostics),
    );
    this.#connection.listen();
    this.#stop = async () => {
      await this.#connection.sendRequest('shutdown');
      await this.#connection.sendNotification('exit');
      this.#connection.dispose();
      await ended;
    };
  }

  /** Starts a server for the folder `root`, a URI. Nothing but the first line of a file says which schema it has. */
  static async start(root: string): Promise<Editor> {
    const editor = new Editor();
    await editor.#connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: root,
      workspaceFolders: [{ uri: root, name: 'root' }],
      capabilities: {
        workspace: { configuration: true },
        textDocument: {
          completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown'] } },
          hover: { contentFormat: ['markdown'] },
        },
      },
    });
    await editor.#connection.sendNotification('initialized', {});
    await editor.#connection.sendNotification('workspace/didChangeConfiguration', { settings });
    return editor;
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  /** Opens a text as a file of its own in the folder, and waits for what the server finds in it. */
  async open(folder: string, text: string): Promise<{ uri: string; diagnostics: Diagnostic[] }> {
    const uri = `${folder}/${this.#opened++}.yaml`;
    const found = new Promise<Diagnostic[]>((done) => this.#waiting.set(uri, done));
    await this.#send(uri, text);
    return { uri, diagnostics: (await found).sort(byPlace) };
  }

  async completions(folder: string, marked: string): Promise<Completion[]> {
    const { uri, position } = await this.#openMarked(folder, marked);
    return this.complete(uri, position);
  }

  async complete(uri: string, position: Position): Promise<Completion[]> {
    const answer = await this.#connection.sendRequest<{ items: Completion[] } | Completion[] | null>(
      'textDocument/completion',
      { textDocument: { uri }, position },
    );
    return Array.isArray(answer) ? answer : (answer?.items ?? []);
  }

  /** What is shown over the mark; empty if nothing. */
  async hover(folder: string, marked: string): Promise<string> {
    const { uri, position } = await this.#openMarked(folder, marked);
    const answer = await this.#connection.sendRequest<{ contents: { value: string } } | null>(
      'textDocument/hover',
      { textDocument: { uri }, position },
    );
    return answer?.contents.value ?? '';
  }

  async #send(uri: string, text: string): Promise<void> {
    await this.#connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: 1, text },
    });
  }

  async #openMarked(folder: string, marked: string) {
    const before = marked.slice(0, marked.indexOf('|')).split('\n');
    const uri = `${folder}/${this.#opened++}.yaml`;
    await this.#send(uri, marked.replace('|', ''));
    return { uri, position: { line: before.length - 1, character: before.at(-1)!.length } };
  }
}
