import type { FastifyRequest } from 'fastify'
import type { AuditSource } from '#store/postgres/audit.ts'

/** Where a call comes from, as the audit remembers it. */
export const auditSourceOf = (request: FastifyRequest): AuditSource => ({
  clientAddress: request.ip,
  userAgent: request.headers['user-agent']?.slice(0, 512) ?? null,
})
