import type { FastifyInstance } from 'fastify'
import { events, json, type Answer } from '#tools/sample-provider/answer.ts'
import { chatBody, completeChat } from './chat-completion.ts'
import { ChatRequest } from './chat-request.ts'
import { chatEvents } from './chat-stream.ts'
import type { Faults } from '#tools/sample-provider/faults.ts'
import { requireModel } from '#tools/sample-provider/models.ts'
import { parseBody, route } from '#tools/sample-provider/route.ts'

const answerChat = (input: unknown, faults: Faults): Answer => {
  const request = parseBody(ChatRequest, input)
  requireModel(request.model)
  const completion = completeChat(request, faults)
  if (!request.stream) return json(chatBody(completion))
  return events(chatEvents(completion, request.stream_options?.include_usage === true))
}

export const chatRoutes = (app: FastifyInstance): void => {
  route(app, 'POST', '/v1/chat/completions', ({ body, faults }) => answerChat(body, faults))
}
