import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '#tools/process/free-port.ts'
import { findCommand } from '#tools/process/find-command.ts'
import { findOrInstall } from '#tools/process/system-package.ts'
import type { BenchContext } from '#tools/bench/part.ts'
import { responds, startDaemon } from './daemon.ts'
import { completionsPath, type Target } from './target.ts'

/** One process without a master, keep-alive connections on both sides: the practical limit of a proxy. */
const configuration = (port: number, upstream: string, folder: string) => `
daemon off;
master_process off;
worker_processes 1;
worker_rlimit_nofile 20000;
pid ${folder}/nginx.pid;
error_log stderr error;
events { worker_connections 8192; }
http {
  access_log off;
  keepalive_requests 100000000;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream provider { server ${new URL(upstream).host}; keepalive 256; keepalive_requests 100000000; }
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / {
      proxy_pass http://provider;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
    }
  }
}
`

/** @throws StartFailure when it can't be installed */
export async function startNginx(context: BenchContext, upstream: string, start: number): Promise<Target> {
  const program = await findOrInstall('nginx', () => findCommand(['nginx']), packages, context.supervisor.run)
  const folder = join(context.workDir, `nginx-${start}`)
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  await mkdir(folder)
  await writeFile(join(folder, 'nginx.conf'), configuration(port, upstream, folder))
  const pid = await startDaemon(context, {
    name: `nginx ${start}`,
    command: program,
    args: ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')],
    ready: () => responds(url),
  })
  return { name: 'nginx', start, label: 'nginx `proxy_pass`, one worker', url: url + completionsPath, headers: {}, pid }
}

const packages = { apt: 'nginx-light', dnf: 'nginx', apk: 'nginx', brew: 'nginx' }
