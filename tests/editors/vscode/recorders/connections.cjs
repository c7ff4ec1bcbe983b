// Loaded into every Node.js process of the editor: writes down where it connects to and which names it asks for.
'use strict';
const childProcess = require('node:child_process');
const dgram = require('node:dgram');
const dns = require('node:dns');
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const net = require('node:net');
const path = require('node:path');

const folder = process.env.MEMOFS_TEST_CONNECTIONS;

const watched = (options) => ({
  ...options,
  env: { ...(options?.env ?? process.env), NODE_OPTIONS: `--require=${__filename}`, MEMOFS_TEST_CONNECTIONS: folder },
});
if (folder) {
  const file = path.join(folder, `node-${process.pid}`);
  const note = (what) => fs.appendFileSync(file, `${what}\n`);
  note(`started ${process.env.VSCODE_ESM_ENTRYPOINT ?? path.basename(process.argv[1] ?? 'node')}`);

  // The server takes NODE_OPTIONS out of its own environment, so whom it forks would not be watched.
  const fork = childProcess.fork;
  childProcess.fork = (file, args, options) =>
    Array.isArray(args) ? fork(file, args, watched(options)) : fork(file, watched(args)); // the arguments may be left out

  const connect = net.Socket.prototype.connect;
  net.Socket.prototype.connect = function (...args) {
    const first = Array.isArray(args[0]) ? args[0][0] : args[0]; // net.connect hands its arguments on in a list
    if (typeof first === 'object' && first !== null) note(first.path ? 'unix' : `tcp ${first.host ?? 'localhost'}`);
    else if (typeof first === 'number' || /^\d+$/.test(String(first)))
      note(`tcp ${typeof args[1] === 'string' ? args[1] : 'localhost'}`);
    else note('unix');
    return connect.apply(this, args);
  };
  for (const of of [dns, dns.promises]) {
    for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) {
      const ask = of[name];
      of[name] = function (host, ...rest) {
        note(`name ${host}`);
        return ask.call(this, host, ...rest);
      };
    }
  }
  const send = dgram.Socket.prototype.send;
  dgram.Socket.prototype.send = function (...args) {
    note(`udp ${args.findLast((arg) => typeof arg === 'string') ?? 'localhost'}`);
    return send.apply(this, args);
  };
  syncBuiltinESMExports();
}
